"""Trains the starter inpainter (REPLACE): `inpaint.py --data FOLDER --encoder enc.pt --out FOLDER`.

A diffusion net over pixels at 64x64 that predicts the clean picture (x0); the condition is the
encoder's text vector of what shall stand in the hole, or of `background`.
"""

import os

import numpy as np
import torch
import torch.nn.functional as F

import text
from course import Course, arguments
from data import World, blobs, halved, jitter, over, phrase, place
from features import stem_of
from model import Inpainter, TextTower, count

args = arguments(minutes=25, batch=32, rate=1e-3, encoder="")
random = np.random.default_rng(args.seed)
world = World(args.data)
sprites, listed = world.sprites("train-sprites")
sprites = halved(sprites)
labels = np.array([world.index[s["concept"]] for s in listed])
by_concept = [np.flatnonzero(labels == i) for i in range(len(world.concepts))]


def grown(mask, by):
    return F.max_pool2d(mask, 2 * by + 1, 1, by)


def holes(alphas):
    """Masks [n, 1, 64, 64] to fill: the thing's own shape grown, another's, a box or an ellipse around it."""
    n = len(alphas)
    out = torch.zeros(n, 1, 64, 64)
    y, x = torch.meshgrid(torch.arange(64.0), torch.arange(64.0), indexing="ij")
    for i in range(n):
        solid = (alphas[i] > 0.1).float()[None]
        ys, xs = solid[0, 0].nonzero(as_tuple=True)
        if len(ys) == 0:
            out[i, 0, 16:48, 16:48] = 1
            continue
        x1, x2, y1, y2 = xs.min(), xs.max() + 1, ys.min(), ys.max() + 1
        kind = random.integers(4)
        if kind == 0:
            out[i] = grown(solid, int(random.integers(1, 5)))[0]
        elif kind == 1:
            other = (alphas[int(random.integers(n))] > 0.1).float()[None]
            out[i] = grown(torch.maximum(solid, other), 2)[0]
        else:
            m = int(random.integers(0, 5))
            box = (x >= x1 - m) & (x < x2 + m) & (y >= y1 - m) & (y < y2 + m)
            round_ = ((x - (x1 + x2) / 2) / ((x2 - x1) / 1.5 + m)) ** 2 + ((y - (y1 + y2) / 2) / ((y2 - y1) / 1.5 + m)) ** 2 <= 1
            out[i, 0] = (box if kind == 2 else round_).float()
    return out


def main():
    model = Inpainter()
    _, encoder = stem_of(args.encoder)
    tower = TextTower(len(encoder["text.table.weight"]))
    tower.load_state_dict({k[5:]: v for k, v in encoder.items() if k.startswith("text.")})
    tower.eval()
    subwords = text.load(os.path.join(os.path.dirname(args.encoder), "subwords.json"))
    print(f"{count(model)/1e6:.2f} M parameters", flush=True)

    @torch.no_grad()
    def conditions(names):
        return tower(torch.tensor([subwords.encode(t) for t in names]))

    def batch(n):
        picked = random.integers(len(world.concepts), size=n)
        rows = [by_concept[i][random.integers(len(by_concept[i]))] for i in picked]
        layer = place(sprites[rows], 64, random, (0.5, 0.8), 0.12)
        ground = blobs(n, 64, random)
        clutter = place(sprites[random.integers(len(sprites), size=n // 2)], 64, random, (0.4, 0.8), 0.95)
        ground[: n // 2] = over(ground[: n // 2], clutter)
        hole = holes(layer[:, 3:])
        # A fifth is to become ground again.
        bare = n // 5
        whole = over(ground, layer)
        whole[-bare:] = ground[-bare:]
        names = [phrase(world.concepts[i], random) for i in picked[:-bare]] + ["background"] * bare
        return jitter(whole, random) * 2 - 1, hole, conditions(names)

    def step(_):
        clean, hole, condition = batch(args.batch)
        n = len(clean)
        time = torch.from_numpy(random.uniform(0.02, 1, n)).float()
        keep = (time * np.pi / 2).cos()[:, None, None, None]
        noisy = keep * clean + (1 - keep**2).sqrt() * torch.randn_like(clean)
        predicted = model(noisy, clean * (1 - hole), hole, time, condition)
        weight = hole + 0.02
        return ((predicted - clean) ** 2 * weight).sum() / weight.sum() / 3

    def measure(n=64):
        clean, hole, condition = batch(n)
        known = clean * (1 - hole)
        x = torch.randn_like(clean)
        times = torch.linspace(1, 0, 21)
        for now, then in zip(times[:-1], times[1:]):
            t = torch.full((n,), float(now))
            x0 = model(x, known, hole, t, condition).clamp(-1, 1) * hole + known
            a, b = np.cos(now.item() * np.pi / 2), np.cos(then.item() * np.pi / 2)
            noise = (x - a * x0) / max(1e-4, (1 - a * a) ** 0.5)
            x = b * x0 + (1 - b * b) ** 0.5 * noise
        out = x * hole + known
        sheet = torch.cat([torch.cat(list(p[:12]), 2) for p in (clean, known, out)], 1)
        from PIL import Image
        Image.fromarray(((sheet.permute(1, 2, 0) + 1) * 127.5).clamp(0, 255).byte().numpy()).save(
            os.path.join(args.out, "inpaint.png"))
        return {"error": float((((out - clean) ** 2) * hole).sum() / hole.sum() / 3)}

    Course("inpaint", model, args, random, average=0.999).run(step, measure)


if __name__ == "__main__":
    main()
