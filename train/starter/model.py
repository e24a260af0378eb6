"""Shapes of the starter models (picture-world §9): the papers' layouts at a laptop's size."""

import torch
import torch.nn.functional as F
from torch import nn


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.b = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(x + self.nb(self.b(F.relu(self.na(self.a(x))))))


class Down(nn.Module):
    def __init__(self, inside, width):
        super().__init__()
        self.conv = nn.Conv2d(inside, width, 3, 2, 1, bias=False)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k = nn.Linear(width, width), nn.Linear(width, width)
        self.v, self.out = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x, y=None, mask=None):
        y = x if y is None else y
        b, n, d = x.shape
        split = lambda t: t.view(t.shape[0], t.shape[1], self.heads, d // self.heads).transpose(1, 2)
        q, k, v = split(self.q(x)), split(self.k(y)), split(self.v(y))
        scores = q @ k.transpose(-1, -2) * (d // self.heads) ** -0.5
        if mask is not None:
            scores = scores + mask
        mixed = scores.softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).reshape(b, n, d))


class Block(nn.Module):
    """Pre-norm transformer layer."""

    def __init__(self, width, heads=4, widen=2):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.up, self.down = nn.Linear(width, widen * width), nn.Linear(widen * width, width)

    def forward(self, x, mask=None):
        x = x + self.attention(self.ln1(x), mask=mask)
        return x + self.down(F.gelu(self.up(self.ln2(x))))


class TextTower(nn.Module):
    """Ids [n, 16] to unit vectors [n, 192]; reads the end token's state."""

    def __init__(self, vocabulary, width=192, layers=2, length=16):
        super().__init__()
        self.table = nn.Embedding(vocabulary, width)
        self.place = nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.ModuleList([Block(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, width, bias=False)
        nn.init.normal_(self.table.weight, std=0.05)

    def forward(self, ids):
        return self.rest(self.table(ids), ids)

    def rest(self, embedded, ids):
        """From the subwords' vectors on, so that a learnt vector can stand among them."""
        pad = (ids == 0).float()[:, None, None, :] * -1e4
        x = embedded + self.place[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, pad)
        end = (ids == 2).float()
        pooled = (self.norm(x) * end[:, :, None]).sum(1)
        return F.normalize(self.project(pooled), dim=-1)


class ImageTower(nn.Module):
    """[n, 3, 64, 64] in 0..1 to unit vectors [n, 192]: a convolutional stem to 8x8 tokens, then blocks.

    The class token starts as what convolution alone makes of the crop, and each block begins by adding
    nothing to it: convolution learns several times faster, so it learns first and the blocks go on from there.
    The image vector is the mean of the two looks, before and after the blocks.
    """

    def __init__(self, width=192, layers=4):
        super().__init__()
        self.stem = nn.Sequential(
            Down(3, 32), Down(32, 64), Residual(64), Down(64, 128), Residual(128),
            nn.Conv2d(128, width, 1),
        )
        self.whole = nn.Sequential(Down(128, 256), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, width))
        self.place = nn.Parameter(torch.randn(1, 64, width) * 0.02)
        self.layers = nn.ModuleList([Block(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, width, bias=False)
        # What leaves the blocks spreads otherwise than what enters them.
        self.even, self.even_end = nn.BatchNorm1d(width), nn.BatchNorm1d(width)
        for layer in self.layers:
            for last in (layer.attention.out, layer.down):
                nn.init.zeros_(last.weight)
                nn.init.zeros_(last.bias)

    def begin(self, pixels):
        """Tokens [n, 65, 192]: the class token and the picture's 8x8."""
        return self.enter(self.stem[:5](pixels * 2 - 1))

    def enter(self, features):
        x = self.stem[5](features).flatten(2).transpose(1, 2) + self.place
        return torch.cat([self.whole(features)[:, None], x], 1)

    def look(self, x, even):
        """A unit vector from the class token [n, 192]."""
        return F.normalize(even(self.project(self.norm(x))), dim=-1)

    def end(self, start, x):
        """The image vector from the tokens before and after the blocks; prompts come after the class token."""
        return F.normalize(self.look(start[:, 0], self.even) + self.look(x[:, 0], self.even_end), dim=-1)

    def forward(self, pixels):
        return self.through(self.begin(pixels))

    def through(self, start, kept=64):
        """`kept` of the 64 tokens go through the blocks: fewer only in training, where it is faster."""
        x = start
        if kept < 64:
            x = torch.cat([x[:, :1], x[:, 1 + torch.randperm(64)[:kept]]], 1)
        for layer in self.layers:
            x = layer(x)
        return self.end(start, x)


width_of_meaning = 192


class Encoder(nn.Module):
    def __init__(self, vocabulary, names=429):
        super().__init__()
        self.image = ImageTower()
        self.text = TextTower(vocabulary)
        self.scale = nn.Parameter(torch.tensor(2.7))
        # One vector a known name, in training only: pictures and texts both learn to meet it, which is
        # much faster than meeting each other while neither means anything yet.
        self.names = nn.Parameter(torch.randn(names, width_of_meaning) * 0.1)


def count(model):
    return sum(p.numel() for p in model.parameters())


class Judge(nn.Module):
    """Crops [n, 3, 64, 64] to logits over every name and `nothing` (picture-world §8)."""

    def __init__(self, names):
        super().__init__()
        self.net = nn.Sequential(
            Down(3, 32), Down(32, 64), Residual(64), Down(64, 128), Residual(128), Down(128, 256),
            nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.BatchNorm1d(256), nn.Linear(256, names),
        )

    def forward(self, pixels):
        return self.net(pixels * 2 - 1)


class Trunk(nn.Module):
    """What the detector, the segmenter and the answerer see with: the encoder's stem, then 16x16 tokens.

    The stem [n, 3, 256, 256] -> [n, 128, 32, 32] is the encoder's and stays frozen, so training reads
    its output from a file.
    """

    def __init__(self, width=192, layers=3):
        super().__init__()
        self.stem = nn.Sequential(Down(3, 32), Down(32, 64), Residual(64), Down(64, 128), Residual(128))
        self.down = Down(128, width)
        self.place = nn.Parameter(torch.randn(1, 256, width) * 0.02)
        self.layers = nn.ModuleList([Block(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def features(self, pixels):
        return self.stem(pixels * 2 - 1)

    def before(self, features):
        """Tokens [n, 256, 192] that enter the transformer: where prompts join them."""
        return self.down(features).flatten(2).transpose(1, 2) + self.place

    def after(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x[:, :256])

    def forward(self, features):
        return self.after(self.before(features))


def cells():
    """Centres [256, 2] (x, y in 0..1) of the 16x16 cells."""
    y, x = torch.meshgrid(torch.arange(16), torch.arange(16), indexing="ij")
    return (torch.stack([x, y], -1).view(256, 2).float() + 0.5) / 16


class Detector(nn.Module):
    """OWL-ViT's layout: each token gives a box and an embedding that is met by text vectors.

    The embedding is what the encoder's convolution makes of the cells inside that box, plus the token's own say.
    """

    def __init__(self, width=192):
        super().__init__()
        self.trunk = Trunk(width)
        self.box = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 4))
        self.embed = nn.Linear(width, width)
        nn.init.zeros_(self.embed.weight)
        nn.init.zeros_(self.embed.bias)
        self.whole = nn.Sequential(nn.Conv2d(128, 256, 3, 2, 1), nn.ReLU())
        self.name = nn.Sequential(nn.Linear(256, width), nn.LayerNorm(width), nn.Linear(width, width))
        self.scale = nn.Parameter(torch.tensor(2.7))
        # How sure a token is that an object's centre is there, whatever it is called.
        self.shift = nn.Linear(width, 1)
        nn.init.constant_(self.shift.bias, -9.0)
        self.register_buffer("cells", cells())

    def begin_from(self, encoder):
        """Takes the encoder's convolutional way to an image vector, its batch norms folded into what they follow."""
        take = lambda name: encoder[f"image.{name}"]
        spread = lambda at: take(f"{at}.weight") / (take(f"{at}.running_var") + 1e-5).sqrt()
        gain = spread("whole.0.norm")
        even = spread("even")
        with torch.no_grad():
            self.whole[0].weight.copy_(take("whole.0.conv.weight") * gain[:, None, None, None])
            self.whole[0].bias.copy_(take("whole.0.norm.bias") - gain * take("whole.0.norm.running_mean"))
            self.name[0].weight.copy_(take("whole.3.weight"))
            self.name[0].bias.copy_(take("whole.3.bias"))
            self.name[1].weight.copy_(take("norm.weight"))
            self.name[1].bias.copy_(take("norm.bias"))
            self.name[2].weight.copy_(even[:, None] * take("project.weight"))
            self.name[2].bias.copy_(take("even.bias") - even * take("even.running_mean"))

    def heads(self, tokens, features, queries):
        raw = self.box(tokens)
        centre = self.cells + raw[..., :2].tanh() * 0.15
        half = raw[..., 2:].sigmoid() * 0.5
        boxes = torch.cat([centre - half, centre + half], -1)
        embedding = F.normalize(self.named(boxes.detach(), features) + self.embed(tokens), dim=-1)
        return boxes, self.scale.exp() * embedding @ queries.T + self.shift(tokens)

    def named(self, boxes, features):
        """The mean [n, 256, 256] of the cells inside each box, softly at its rim, as an image vector of length 14."""
        seen = self.whole(features).flatten(2).transpose(1, 2)
        low = (self.cells - boxes[..., None, :2]) * 48
        high = (boxes[..., None, 2:] - self.cells) * 48
        near = low.sigmoid() * high.sigmoid()
        inside = near[..., 0] * near[..., 1]
        mean = inside @ seen / inside.sum(-1, keepdim=True).clamp(min=1e-3)
        return F.normalize(self.name(mean), dim=-1) * 14

    def forward(self, features, queries):
        tokens = self.trunk(features)
        return *self.heads(tokens, features, queries), tokens.mean(1)


class Segmenter(nn.Module):
    """MaskFormer's layout; the queries start from the 24 tokens most likely to be an object's centre."""

    QUERIES = 24

    def __init__(self, names, width=192, layers=2):
        super().__init__()
        self.trunk = Trunk(width)
        self.centre = nn.Linear(width, 1)
        nn.init.constant_(self.centre.bias, -4.0)
        self.fine = nn.Sequential(Down(3, 16), Down(16, 32))
        self.coarse = nn.Conv2d(width, 64, 1)
        self.middle = nn.Conv2d(128, 64, 1)
        self.mix = nn.Sequential(nn.Conv2d(96, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                                 nn.Conv2d(64, 64, 3, 1, 1))
        self.layers = nn.ModuleList([DecoderLayer(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.mask = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 65))
        self.embed = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.tensor(2.7))
        self.nothing = nn.Linear(width, 1)
        self.register_buffer("names", torch.zeros(names, width))

    def queries(self, tokens):
        """Centre logits [n, 256], and the rows [n, 24] of their local peaks."""
        logits = self.centre(tokens)[..., 0]
        grid = logits.view(-1, 1, 16, 16)
        peaks = grid - 30.0 * (grid < F.max_pool2d(grid, 3, 1, 1)).float()
        return logits, peaks.view(-1, 256).topk(self.QUERIES, dim=1).indices

    def pixels(self, pictures, features, tokens):
        """Pixel embeddings [n, 64, 64, 64] at stride 4."""
        deep = self.coarse(tokens.transpose(1, 2).reshape(-1, tokens.shape[2], 16, 16))
        up = F.interpolate(deep, scale_factor=2.0, mode="bilinear", align_corners=False)
        up = F.interpolate(F.relu(up + self.middle(features)), scale_factor=2.0, mode="bilinear", align_corners=False)
        return self.mix(torch.cat([up, self.fine(pictures * 2 - 1)], 1))

    def decode(self, x, tokens):
        for layer in self.layers:
            x = layer(x, tokens)
        return self.norm(x[:, : self.QUERIES])

    def heads(self, states, fine):
        kernel = self.mask(states)
        masks = torch.einsum("nqc,ncyx->nqyx", kernel[..., :64], fine) * 0.125 + kernel[..., 64:, None]
        embedding = F.normalize(self.embed(states), dim=-1)
        classes = self.scale.exp() * embedding @ self.names.T
        return masks, torch.cat([classes, self.nothing(states)], -1)


class DecoderLayer(nn.Module):
    """Queries attend to one another and to memory."""

    def __init__(self, width, heads=4, widen=2):
        super().__init__()
        self.ln1, self.ln2, self.ln3 = nn.LayerNorm(width), nn.LayerNorm(width), nn.LayerNorm(width)
        self.own, self.cross = Attention(width, heads), Attention(width, heads)
        self.up, self.down = nn.Linear(width, widen * width), nn.Linear(widen * width, width)

    def forward(self, x, memory, mask=None):
        x = x + self.own(self.ln1(x), mask=mask)
        x = x + self.cross(self.ln2(x), memory)
        return x + self.down(F.gelu(self.up(self.ln3(x))))


class Answerer(nn.Module):
    """BLIP's layout: a question encoder that looks at the picture, and an answer decoder over it."""

    QUESTION, ANSWER = 32, 12

    def __init__(self, vocabulary, width=192, layers=2):
        super().__init__()
        self.trunk = Trunk(width)
        self.table = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.table.weight, std=0.05)
        self.asked = nn.Parameter(torch.randn(1, self.QUESTION, width) * 0.02)
        self.told = nn.Parameter(torch.randn(1, self.ANSWER, width) * 0.02)
        self.reader = nn.ModuleList([DecoderLayer(width) for _ in range(layers)])
        self.writer = nn.ModuleList([DecoderLayer(width) for _ in range(layers)])
        self.read_norm, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)

    def read(self, tokens, question):
        """Memory [n, 32, 192] of the question as the picture answers it, and a feature [n, 384]."""
        pad = (question == 0).float()[:, None, None, :] * -1e4
        x = self.table(question) + self.asked[:, : question.shape[1]]
        for layer in self.reader:
            x = layer(x, tokens, pad)
        x = self.read_norm(x)
        there = (question != 0).float()[..., None]
        pooled = torch.cat([tokens.mean(1), (x * there).sum(1) / there.sum(1)], -1)
        return x, pooled

    def begin(self, answer):
        return self.table(answer) + self.told[:, : answer.shape[1]]

    def write(self, x, memory):
        n = x.shape[1]
        ahead = torch.triu(torch.full((n, n), -1e4), 1)
        for layer in self.writer:
            x = layer(x, memory, ahead)
        return self.norm(x) @ self.table.weight.T


class Mixed(nn.Module):
    """Residual convolution [n, width, h, w], scaled and shifted by the condition."""

    def __init__(self, inside, width, condition):
        super().__init__()
        self.first = nn.GroupNorm(8, inside)
        self.a = nn.Conv2d(inside, width, 3, 1, 1)
        self.second = nn.GroupNorm(8, width)
        self.b = nn.Conv2d(width, width, 3, 1, 1)
        self.told = nn.Linear(condition, 2 * width)
        self.skip = nn.Conv2d(inside, width, 1) if inside != width else nn.Identity()
        nn.init.zeros_(self.b.weight)

    def forward(self, x, condition):
        y = self.a(F.silu(self.first(x)))
        scale, shift = self.told(condition)[..., None, None].chunk(2, 1)
        y = self.b(F.silu(self.second(y) * (1 + scale) + shift))
        return self.skip(x) + y


class Inpainter(nn.Module):
    """A UNet over noise, the picture around the hole, and the hole; works on 2x2 blocks of pixels."""

    def __init__(self, widths=(48, 96, 160), condition=192):
        super().__init__()
        a, b, c = widths
        self.tell = nn.Sequential(nn.Linear(192 + 32, condition), nn.SiLU(), nn.Linear(condition, condition), nn.SiLU())
        self.enter = nn.Conv2d(28, a, 3, 1, 1)
        self.down1, self.down2 = Mixed(a, a, condition), Mixed(b, b, condition)
        self.to_b, self.to_c = nn.Conv2d(a, b, 3, 2, 1), nn.Conv2d(b, c, 3, 2, 1)
        self.middle1, self.middle2 = Mixed(c, c, condition), Mixed(c, c, condition)
        self.look = Block(c)
        self.from_c, self.from_b = nn.Conv2d(c, b, 1), nn.Conv2d(b, a, 1)
        self.up2, self.up1 = Mixed(2 * b, b, condition), Mixed(2 * a, a, condition)
        self.last = nn.GroupNorm(8, a)
        self.leave = nn.Conv2d(a, 12, 3, 1, 1)

    def forward(self, noisy, picture, mask, time, condition):
        angles = time[:, None] * 2.0 ** torch.arange(16.0, device=time.device) * 0.4
        told = self.tell(torch.cat([condition * 8, angles.sin(), angles.cos()], 1))
        x = self.enter(F.pixel_unshuffle(torch.cat([noisy, picture, mask], 1), 2))
        one = self.down1(x, told)
        two = self.down2(self.to_b(one), told)
        x = self.middle1(self.to_c(two), told)
        n, c, h, w = x.shape
        x = self.look(x.flatten(2).transpose(1, 2)).transpose(1, 2).reshape(n, c, h, w)
        x = self.middle2(x, told)
        x = self.up2(torch.cat([F.interpolate(self.from_c(x), scale_factor=2.0), two], 1), told)
        x = self.up1(torch.cat([F.interpolate(self.from_b(x), scale_factor=2.0), one], 1), told)
        return F.pixel_shuffle(self.leave(F.silu(self.last(x))), 2)
