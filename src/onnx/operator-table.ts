/**
 * The operators of ONNX as a table, for opsets 13 to 26: which versions changed an operator, how many
 * inputs and outputs it takes, and its attributes (`!` for those that must be there).
 *
 * Forms are parted by a bar where the number of inputs, outputs or the attributes changed; versions
 * that changed only types or wording stand together. Taken from the schemas of the `onnx` package 1.23.
 */
export const operatorTable = {
  Abs: '13 1 1',
  Acos: '7,22 1 1',
  Acosh: '9,22 1 1',
  Add: '13,14 2 1',
  AffineGrid: '20 2 1 align_corners:int',
  And: '7 2 1',
  ArgMax: '13 1 1 axis:int keepdims:int select_last_index:int',
  ArgMin: '13 1 1 axis:int keepdims:int select_last_index:int',
  Asin: '7,22 1 1',
  Asinh: '9,22 1 1',
  Atan: '7,22 1 1',
  Atanh: '9,22 1 1',
  Attention:
    '23 3-6 1-4 is_causal:int kv_num_heads:int q_num_heads:int qk_matmul_output_mode:int ' +
    'scale:float softcap:float softmax_precision:int | 24 3-7 1-4 is_causal:int ' +
    'kv_num_heads:int q_num_heads:int qk_matmul_output_mode:int scale:float softcap:float ' +
    'softmax_precision:int | 25 3-7 1-4 is_causal:int kv_num_heads:int left_window_size:int ' +
    'q_num_heads:int qk_matmul_output_mode:int right_window_size:int scale:float ' +
    'softcap:float softmax_precision:int',
  AveragePool:
    '11 1 1 auto_pad:string ceil_mode:int count_include_pad:int kernel_shape!:ints pads:ints ' +
    'strides:ints | 19,22 1 1 auto_pad:string ceil_mode:int count_include_pad:int ' +
    'dilations:ints kernel_shape!:ints pads:ints strides:ints',
  BatchNormalization:
    '9 5 1-5 epsilon:float momentum:float | 14,15 5 1-3 epsilon:float momentum:float ' +
    'training_mode:int',
  Bernoulli: '15,22 1 1 dtype:int seed:float',
  BitCast: '26 1 1 to!:int',
  BitShift: '11 2 1 direction!:string',
  BitwiseAnd: '18 2 1',
  BitwiseNot: '18 1 1',
  BitwiseOr: '18 2 1',
  BitwiseXor: '18 2 1',
  BlackmanWindow: '17 1 1 output_datatype:int periodic:int',
  Cast:
    '13 1 1 to!:int | 19,21,23 1 1 saturate:int to!:int | 24,25 1 1 round_mode:string ' +
    'saturate:int to!:int',
  CastLike: '15 2 1 | 19,21,23 2 1 saturate:int | 24,25 2 1 round_mode:string saturate:int',
  Ceil: '13 1 1',
  Celu: '12 1 1 alpha:float',
  CenterCropPad: '18 2 1 axes:ints',
  Clip: '13 1-3 1',
  Col2Im: '18 3 1 dilations:ints pads:ints strides:ints',
  Compress: '11 2 1 axis:int',
  Concat: '13 1-* 1 axis!:int',
  ConcatFromSequence: '11 1 1 axis!:int new_axis:int',
  Constant:
    '13,19,21,23,24,25 0 1 sparse_value:other value:tensor value_float:float ' +
    'value_floats:floats value_int:int value_ints:ints value_string:string ' +
    'value_strings:strings',
  ConstantOfShape: '9,20,21,23,24,25 1 1 value:tensor',
  Conv:
    '11,22 2-3 1 auto_pad:string dilations:ints group:int kernel_shape:ints pads:ints ' +
    'strides:ints',
  ConvInteger:
    '10 2-4 1 auto_pad:string dilations:ints group:int kernel_shape:ints pads:ints ' +
    'strides:ints',
  ConvTranspose:
    '11,22 2-3 1 auto_pad:string dilations:ints group:int kernel_shape:ints ' +
    'output_padding:ints output_shape:ints pads:ints strides:ints',
  Cos: '7,22 1 1',
  Cosh: '9,22 1 1',
  CumProd: '26 2 1 exclusive:int reverse:int',
  CumSum: '11,14 2 1 exclusive:int reverse:int',
  DFT: '17 1-2 1 axis:int inverse:int onesided:int | 20 1-3 1 inverse:int onesided:int',
  DeformConv:
    '19,22 3-5 1 dilations:ints group:int kernel_shape:ints offset_group:int pads:ints ' +
    'strides:ints',
  DepthToSpace: '13 1 1 blocksize!:int mode:string',
  DequantizeLinear:
    '13,19 2-3 1 axis:int | 21 2-3 1 axis:int block_size:int | 23,24,25 2-3 1 axis:int ' +
    'block_size:int output_dtype:int',
  Det: '11,22 1 1',
  Div: '13,14 2 1',
  Dropout: '13,22 1-3 1-2 seed:int',
  DynamicQuantizeLinear: '11 1 3',
  Einsum: '12 1-* 1 equation!:string',
  Elu: '6,22 1 1 alpha:float',
  Equal: '13,19 2 1',
  Erf: '13 1 1',
  Exp: '13 1 1',
  Expand: '13 2 1',
  EyeLike: '9,22 1 1 dtype:int k:int',
  Flatten: '13,21,23,24,25 1 1 axis:int',
  Floor: '13 1 1',
  GRU:
    '7 3-6 0-2 activation_alpha:floats activation_beta:floats activations:strings clip:float ' +
    'direction:string hidden_size:int linear_before_reset:int | 14,22 3-6 0-2 ' +
    'activation_alpha:floats activation_beta:floats activations:strings clip:float ' +
    'direction:string hidden_size:int layout:int linear_before_reset:int',
  Gather: '13 2 1 axis:int',
  GatherElements: '13 2 1 axis:int',
  GatherND: '13 2 1 batch_dims:int',
  Gelu: '20 1 1 approximate:string',
  Gemm: '13 2-3 1 alpha:float beta:float transA:int transB:int',
  GlobalAveragePool: '1,22 1 1',
  GlobalLpPool: '2,22 1 1 p:int',
  GlobalMaxPool: '1,22 1 1',
  Greater: '13 2 1',
  GreaterOrEqual: '12,16 2 1',
  GridSample: '16,20,22 2 1 align_corners:int mode:string padding_mode:string',
  // Withdrawn at 18, for its scales were by group, but the runtime runs it.
  GroupNormalization:
    '18 3 1 epsilon:float num_groups!:int | 21 3 1 epsilon:float num_groups!:int stash_type:int',
  HammingWindow: '17 1 1 output_datatype:int periodic:int',
  HannWindow: '17 1 1 output_datatype:int periodic:int',
  HardSigmoid: '6,22 1 1 alpha:float beta:float',
  HardSwish: '14,22 1 1',
  Hardmax: '13 1 1 axis:int',
  Identity: '13,14,16,19,21,23,24,25 1 1',
  If: '13,16,19,21,23,24,25 1 1-* else_branch!:graph then_branch!:graph',
  ImageDecoder: '20 1 1 pixel_format:string',
  InstanceNormalization: '6,22 3 1 epsilon:float',
  IsInf: '10,20 1 1 detect_negative:int detect_positive:int',
  IsNaN: '13,20 1 1',
  LRN: '13 1 1 alpha:float beta:float bias:float size!:int',
  LSTM:
    '7 3-8 0-3 activation_alpha:floats activation_beta:floats activations:strings clip:float ' +
    'direction:string hidden_size:int input_forget:int | 14,22 3-8 0-3 ' +
    'activation_alpha:floats activation_beta:floats activations:strings clip:float ' +
    'direction:string hidden_size:int input_forget:int layout:int',
  LayerNormalization: '17 2-3 1-3 axis:int epsilon:float stash_type:int',
  LeakyRelu: '6,16 1 1 alpha:float',
  Less: '13 2 1',
  LessOrEqual: '12,16 2 1',
  Log: '13 1 1',
  LogSoftmax: '13 1 1 axis:int',
  Loop: '13,16,19,21,23,24,25 2-* 1-* body!:graph',
  LpNormalization: '1,22 1 1 axis:int p:int',
  LpPool:
    '11 1 1 auto_pad:string kernel_shape!:ints p:int pads:ints strides:ints | 18,22 1 1 ' +
    'auto_pad:string ceil_mode:int dilations:ints kernel_shape!:ints p:int pads:ints ' +
    'strides:ints',
  MatMul: '13 2 1',
  MatMulInteger: '10 2-4 1',
  Max: '13 1-* 1',
  MaxPool:
    '12,22 1 1-2 auto_pad:string ceil_mode:int dilations:ints kernel_shape!:ints pads:ints ' +
    'storage_order:int strides:ints',
  MaxRoiPool: '1,22 2 1 pooled_shape!:ints spatial_scale:float',
  MaxUnpool: '11,22 2-3 1 kernel_shape!:ints pads:ints strides:ints',
  Mean: '13 1-* 1',
  MeanVarianceNormalization: '13 1 1 axes:ints',
  MelWeightMatrix: '17 5 1 output_datatype:int',
  Min: '13 1-* 1',
  Mish: '18,22 1 1',
  Mod: '13 2 1 fmod:int',
  Mul: '13,14 2 1',
  Multinomial: '7,22 1 1 dtype:int sample_size:int seed:float',
  Neg: '13 1 1',
  NegativeLogLikelihoodLoss: '13,22 2-3 1 ignore_index:int reduction:string',
  NonMaxSuppression: '11 2-5 1 center_point_box:int',
  NonZero: '13 1 1',
  Not: '1 1 1',
  OneHot: '11 3 1 axis:int',
  Optional: '15 0-1 1 type:other',
  OptionalGetElement: '15,18 1 1',
  OptionalHasElement: '15 1 1 | 18 0-1 1',
  Or: '7 2 1',
  PRelu: '9,16 2 1',
  Pad: '13 2-3 1 mode:string | 18,19,21,23,24,25 2-4 1 mode:string',
  Pow: '13,15 2 1',
  QLinearConv:
    '10 8-9 1 auto_pad:string dilations:ints group:int kernel_shape:ints pads:ints ' +
    'strides:ints',
  QLinearMatMul: '10,21 8 1',
  QuantizeLinear:
    '13 2-3 1 axis:int | 19 2-3 1 axis:int saturate:int | 21 2-3 1 axis:int block_size:int ' +
    'output_dtype:int saturate:int | 23,24,25 2-3 1 axis:int block_size:int output_dtype:int ' +
    'precision:int saturate:int',
  RMSNormalization: '23 2 1 axis:int epsilon:float stash_type:int',
  RNN:
    '7 3-6 0-2 activation_alpha:floats activation_beta:floats activations:strings clip:float ' +
    'direction:string hidden_size:int | 14,22 3-6 0-2 activation_alpha:floats ' +
    'activation_beta:floats activations:strings clip:float direction:string hidden_size:int ' +
    'layout:int',
  RandomNormal: '1,22 0 1 dtype:int mean:float scale:float seed:float shape!:ints',
  RandomNormalLike: '1,22 1 1 dtype:int mean:float scale:float seed:float',
  RandomUniform: '1,22 0 1 dtype:int high:float low:float seed:float shape!:ints',
  RandomUniformLike: '1,22 1 1 dtype:int high:float low:float seed:float',
  Range: '11 3 1',
  Reciprocal: '13 1 1',
  ReduceL1: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceL2: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceLogSum: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceLogSumExp: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceMax: '13 1 1 axes:ints keepdims:int | 18,20 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceMean: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceMin: '13 1 1 axes:ints keepdims:int | 18,20 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceProd: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceSum: '13 1-2 1 keepdims:int noop_with_empty_axes:int',
  ReduceSumSquare: '13 1 1 axes:ints keepdims:int | 18 1-2 1 keepdims:int noop_with_empty_axes:int',
  RegexFullMatch: '20 1 1 pattern:string',
  Relu: '13,14 1 1',
  Reshape: '13 2 1 | 14,19,21,23,24,25 2 1 allowzero:int',
  Resize:
    '13 1-4 1 coordinate_transformation_mode:string cubic_coeff_a:float exclude_outside:int ' +
    'extrapolation_value:float mode:string nearest_mode:string | 18,19 1-4 1 antialias:int ' +
    'axes:ints coordinate_transformation_mode:string cubic_coeff_a:float exclude_outside:int ' +
    'extrapolation_value:float keep_aspect_ratio_policy:string mode:string ' +
    'nearest_mode:string',
  ReverseSequence: '10 2 1 batch_axis:int time_axis:int',
  RoiAlign:
    '10 3 1 mode:string output_height:int output_width:int sampling_ratio:int ' +
    'spatial_scale:float | 16,22 3 1 coordinate_transformation_mode:string mode:string ' +
    'output_height:int output_width:int sampling_ratio:int spatial_scale:float',
  RotaryEmbedding: '23 3-4 1 interleaved:int num_heads:int rotary_embedding_dim:int',
  Round: '11,22 1 1',
  STFT: '17 2-4 1 onesided:int',
  Scan:
    '11,16,19,21,23,24,25 1-* 1-* body!:graph num_scan_inputs!:int scan_input_axes:ints ' +
    'scan_input_directions:ints scan_output_axes:ints scan_output_directions:ints',
  Scatter: '11 gone',
  ScatterElements: '13 3 1 axis:int | 16,18 3 1 axis:int reduction:string',
  ScatterND: '13 3 1 | 16,18 3 1 reduction:string',
  Selu: '6,22 1 1 alpha:float gamma:float',
  SequenceAt: '11 2 1',
  SequenceConstruct: '11 1-* 1',
  SequenceEmpty: '11 0 1 dtype:int',
  SequenceErase: '11 1-2 1',
  SequenceInsert: '11 2-3 1',
  SequenceLength: '11 1 1',
  SequenceMap: '17 1-* 1-* body!:graph',
  Shape: '13 1 1 | 15,19,21,23,24,25 1 1 end:int start:int',
  Shrink: '9 1 1 bias:float lambd:float',
  Sigmoid: '13 1 1',
  Sign: '13 1 1',
  // Not of ONNX: the runtime's own, which it writes into the domain of ONNX when it optimises a model.
  SimplifiedLayerNormalization: '1 2 1-2 axis:int epsilon:float stash_type:int',
  Sin: '7,22 1 1',
  Sinh: '9,22 1 1',
  Size: '13,19,21,23,24,25 1 1',
  Slice: '13 3-5 1',
  Softmax: '13 1 1 axis:int',
  SoftmaxCrossEntropyLoss: '13 2-3 1-2 ignore_index:int reduction:string',
  Softplus: '1,22 1 1',
  Softsign: '1,22 1 1',
  SpaceToDepth: '13 1 1 blocksize!:int',
  Split: '13 1-2 1-* axis:int | 18 1-2 1-* axis:int num_outputs:int',
  SplitToSequence: '11,24 1-2 1 axis:int keepdims:int',
  Sqrt: '13 1 1',
  Squeeze: '13,21,23,24,25 1-2 1',
  StringConcat: '20 2 1',
  StringNormalizer:
    '10 1 1 case_change_action:string is_case_sensitive:int locale:string stopwords:strings',
  StringSplit: '20 1 2 delimiter:string maxsplit:int',
  Sub: '13,14 2 1',
  Sum: '13 1-* 1',
  Swish: '24 1 1 alpha:float',
  Tan: '7,22 1 1',
  Tanh: '13 1 1',
  TensorScatter: '24 2-3 1 axis:int mode:string',
  TfIdfVectorizer:
    '9 1 1 max_gram_length!:int max_skip_count!:int min_gram_length!:int mode!:string ' +
    'ngram_counts!:ints ngram_indexes!:ints pool_int64s:ints pool_strings:strings ' +
    'weights:floats',
  ThresholdedRelu: '10,22 1 1 alpha:float',
  Tile: '13 2 1',
  TopK: '11,24 2 2 axis:int largest:int sorted:int',
  Transpose: '13,21,23,24,25 1 1 perm:ints',
  Trilu: '14 1-2 1 upper:int',
  Unique: '11 1 1-4 axis:int sorted:int',
  Unsqueeze: '13,21,23,24,25 2 1',
  Upsample: '10 gone',
  Where: '9,16 3 1',
  Xor: '7 2 1',
} as const
