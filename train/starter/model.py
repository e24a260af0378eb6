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
        pad = (ids == 0).float()[:, None, None, :] * -1e4
        x = self.table(ids) + self.place[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, pad)
        end = (ids == 2).float()
        pooled = (self.norm(x) * end[:, :, None]).sum(1)
        return F.normalize(self.project(pooled), dim=-1)


class ImageTower(nn.Module):
    """[n, 3, 64, 64] in 0..1 to unit vectors [n, 192]: a convolutional stem to 8x8 tokens, then blocks."""

    def __init__(self, width=192, layers=4):
        super().__init__()
        self.stem = nn.Sequential(
            Down(3, 32), Down(32, 64), Residual(64), Down(64, 128), Residual(128),
            nn.Conv2d(128, width, 1),
        )
        self.first = nn.Parameter(torch.randn(1, 1, width) * 0.02)
        self.place = nn.Parameter(torch.randn(1, 65, width) * 0.02)
        self.layers = nn.ModuleList([Block(width) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.project = nn.Linear(width, width, bias=False)

    def forward(self, pixels, kept=64):
        """`kept` tokens of the 64 go through the blocks (fewer only in training, where it is faster)."""
        x = self.stem(pixels * 2 - 1).flatten(2).transpose(1, 2) + self.place[:, 1:]
        if kept < 64:
            x = x[:, torch.randperm(64)[:kept]]
        x = torch.cat([(self.first + self.place[:, :1]).expand(len(x), -1, -1), x], 1)
        for layer in self.layers:
            x = layer(x)
        return F.normalize(self.project(self.norm(x[:, 0])), dim=-1)


class Encoder(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.image = ImageTower()
        self.text = TextTower(vocabulary)
        self.scale = nn.Parameter(torch.tensor(2.7))


def count(model):
    return sum(p.numel() for p in model.parameters())
