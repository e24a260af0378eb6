"""The PyTorch side of onnx-tuning.ts: reads a form and a batch from a line, answers with milliseconds.

Forms: A carries prompts as tokens through a block, B is the key/value form, Blast computes the class
token alone in the last block. Adam is part of a step, as it is of ours.
"""
import json
import sys
import time

import torch
import torch.nn.functional as F

threads, shape = int(sys.argv[1]), json.loads(sys.argv[2])
clock = time.process_time if sys.argv[3] == "cpu" else time.perf_counter
torch.set_num_threads(threads)
torch.manual_seed(0)
D, L, H, P = shape["width"], shape["layers"], shape["heads"], shape["patch"]
side = shape["picture"] // P
T = side * side + 1


def lin(i, o):
    m = torch.nn.Linear(i, o)
    m.requires_grad_(False)
    return m


layers = [dict(n1=torch.nn.LayerNorm(D).requires_grad_(False), n2=torch.nn.LayerNorm(D).requires_grad_(False),
               q=lin(D, D), k=lin(D, D), v=lin(D, D), o=lin(D, D), a=lin(D, 4 * D), b=lin(4 * D, D)) for _ in range(L)]
conv = torch.nn.Conv2d(3, D, P, P, bias=False).requires_grad_(False)
cls, pos = torch.randn(1, 1, D) * .02, torch.randn(1, T, D) * .02
pre, post = (torch.nn.LayerNorm(D).requires_grad_(False) for _ in range(2))
proj = lin(D, shape["embedding"])
heads = lambda x: x.view(x.shape[0], -1, H, D // H).transpose(1, 2)


def mlp(l, x):
    h = l["a"](l["n2"](x))
    return x + l["b"](h * torch.sigmoid(1.702 * h))


def block(l, x, prompt=None, last=False):
    h = l["n1"](x)
    k, v = heads(l["k"](h)), heads(l["v"](h))
    if prompt is not None:
        hp = l["n1"](prompt)
        k = torch.cat([k, heads(l["k"](hp)).expand(x.shape[0], -1, -1, -1)], 2)
        v = torch.cat([v, heads(l["v"](hp)).expand(x.shape[0], -1, -1, -1)], 2)
    if last:
        x, h = x[:, :1], h[:, :1]
    q = heads(l["q"](h)) * (D // H) ** -0.5
    y = (q @ k.transpose(2, 3)).softmax(-1) @ v
    return mlp(l, x + l["o"](y.transpose(1, 2).reshape(x.shape[0], -1, D)))


def embed(pixels, prompts, form):
    x = conv(pixels).flatten(2).transpose(1, 2)
    x = pre(torch.cat([cls.expand(x.shape[0], -1, -1), x], 1) + pos)
    for i, l in enumerate(layers):
        p = prompts[i] if i < len(prompts) else None
        if p is not None and form == "A":
            x = block(l, torch.cat([x, p.expand(x.shape[0], -1, -1)], 1))[:, :T]
        else:
            x = block(l, x, p, form == "Blast" and i == L - 1)
    return proj(post(x[:, 0]))


state = {}


def step(form, batch, count, where):
    key = (form, batch, count, where)
    if key not in state:
        prompts = [(torch.randn(1, count, D) * .02).requires_grad_() for _ in range(where)]
        state[key] = (torch.randn(batch, 3, shape["picture"], shape["picture"]), prompts, torch.optim.Adam(prompts, 1e-2),
                      F.normalize(torch.randn(8, shape["embedding"]), dim=-1), torch.arange(batch) % 8)
    pixels, prompts, optimizer, text, target = state[key]
    start = clock()
    optimizer.zero_grad()
    f = F.normalize(embed(pixels, prompts, form), dim=-1)
    F.cross_entropy(100 * f @ text.T, target).backward()
    optimizer.step()
    return (clock() - start) * 1000


def peak():
    a, b = torch.randn(2048, 2048), torch.randn(2048, 2048)
    start = clock()
    for _ in range(3):
        a @ b
    return 3 * 2 * 2048 ** 3 / (clock() - start) / 1e9


print(json.dumps({"torch": torch.__version__, "mkl": torch.backends.mkl.is_available()}), flush=True)
for line in sys.stdin:
    ask = json.loads(line)
    answer = peak() if ask["form"] == "peak" else step(ask["form"], ask["batch"], ask["count"], ask["layers"])
    print(json.dumps(answer), flush=True)
