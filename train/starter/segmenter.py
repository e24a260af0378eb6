"""Trains the starter segmenter (SEG): `segmenter.py --data FOLDER --encoder enc.pt --trunk detector.pt --out FOLDER`."""

import os

import numpy as np
import torch
import torch.nn.functional as F

from course import Course, arguments
from data import World
from features import name_vectors, opened_views, stem_of
from model import Segmenter, cells, count

args = arguments(minutes=20, batch=16, rate=1e-3, encoder="", trunk="")
random = np.random.default_rng(args.seed)
world = World(args.data)
_, tops, scenes = world.scenes("train-scenes")
stems, seen = opened_views(args.data, "train")
n = len(stems)
views = np.memmap(os.path.join(args.data, "train-views.rgb"), np.uint8, "r", shape=(n, 256, 256, 3))
dev_rgb, dev_top, dev_scenes = world.scenes("dev-scenes")
# Whole scenes only: a part's masks would be scaled.
whole = np.flatnonzero((np.array(seen) == (0, 0, 256, 256)).all(1))


def masks_of(top, objects):
    """Concepts, share of each 4x4 block [k, 64, 64] that shows the object, and its visible centre."""
    classes, masks, centres = [], [], []
    for i, one in enumerate(objects):
        mask = torch.from_numpy(top == i + 1).float()
        if mask.sum() < 60 or one["concept"] not in world.index:
            continue
        ys, xs = mask.nonzero(as_tuple=True)
        x, y = (xs.min() + xs.max()).item() / 2, (ys.min() + ys.max()).item() / 2
        classes.append(world.index[one["concept"]])
        masks.append(F.avg_pool2d(mask[None, None], 4)[0, 0])
        centres.append(min(15, int(y / 16)) * 16 + min(15, int(x / 16)))
    return torch.tensor(classes), torch.stack(masks) if masks else torch.zeros(0, 64, 64), torch.tensor(centres)


def dice(logits, target):
    p = logits.sigmoid().flatten(1)
    t = target.flatten(1)
    return 1 - (2 * (p * t).sum(1) + 1) / (p.sum(1) + t.sum(1) + 1)


def main():
    model = Segmenter(len(world.concepts))
    trunk, _ = stem_of(args.encoder)
    model.trunk.load_state_dict(trunk.state_dict())
    model.names.copy_(name_vectors(world, args.encoder))
    if args.trunk:
        detector = torch.load(args.trunk, weights_only=False)["average"]
        model.trunk.load_state_dict({k[6:]: v for k, v in detector.items() if k.startswith("trunk.")})
        model.embed.load_state_dict({k[6:]: v for k, v in detector.items() if k.startswith("embed.")})
        model.scale.data.copy_(detector["scale"])
    for p in model.trunk.stem.parameters():
        p.requires_grad = False
    print(f"{count(model)/1e6:.2f} M parameters, {len(whole)} scenes", flush=True)
    place = cells()

    def step(_):
        rows = np.sort(random.choice(whole, args.batch, replace=False))
        features = torch.from_numpy(np.stack([stems[i] for i in rows])).float()
        pictures = torch.from_numpy(np.stack([views[i] for i in rows])).permute(0, 3, 1, 2).float() / 255
        tokens = model.trunk(features)
        logits, chosen = model.queries(tokens)
        truth = [masks_of(np.array(tops[i]), scenes[i]) for i in rows]
        heat = torch.zeros_like(logits)
        for i, (_, _, centres) in enumerate(truth):
            heat[i, centres] = 1
        p = logits.sigmoid()
        miss = torch.where(heat > 0, 1 - p, p)
        plain = F.binary_cross_entropy_with_logits(logits, heat, reduction="none")
        loss = 2 * (miss**2 * plain).sum() / heat.sum().clamp(min=1)
        # In training an object's own cell is always among the queries; the rest are the model's peaks.
        pairs = []
        for i, (classes, _, centres) in enumerate(truth):
            free = [c for c in chosen[i].tolist() if c not in set(centres.tolist())]
            chosen[i] = torch.tensor((centres.tolist() + free)[: model.QUERIES])
        x = tokens.gather(1, chosen[..., None].expand(-1, -1, tokens.shape[2]))
        states = model.decode(x, tokens)
        fine = model.pixels(pictures, features, tokens)
        masks, classes_out = model.heads(states, fine)
        wanted = torch.full(chosen.shape, len(world.concepts))
        for i, (classes, _, centres) in enumerate(truth):
            wanted[i, : len(classes)] = classes
            # Peaks beside an object's centre may say either.
            near = (place[chosen[i, len(classes) :]][:, None] - place[centres]).abs().amax(-1) <= 1.2 / 16
            if len(centres):
                wanted[i, len(classes) :][near.any(1)] = -100
            pairs += [(i, k) for k in range(len(classes))]
        weight = torch.ones(len(world.concepts) + 1)
        weight[-1] = 0.2
        loss = loss + F.cross_entropy(classes_out.flatten(0, 1), wanted.flatten(), weight, ignore_index=-100)
        at = torch.tensor(pairs)
        got = masks[at[:, 0], at[:, 1]]
        due = torch.cat([m for _, m, _ in truth])
        sharp = F.binary_cross_entropy_with_logits(got, due, reduction="none")
        # Mostly about the object's surroundings: the far ground is easy.
        loss = loss + 2 * dice(got, due).mean() + 5 * sharp.mean()
        return loss

    def measure(limit=120):
        shares, found, total, named = [], 0, 0, 0
        for k in range(0, limit, 10):
            pictures = torch.from_numpy(np.array(dev_rgb[k : k + 10])).permute(0, 3, 1, 2).float() / 255
            features = model.trunk.features(pictures)
            tokens = model.trunk(features)
            _, chosen = model.queries(tokens)
            states = model.decode(tokens.gather(1, chosen[..., None].expand(-1, -1, 192)), tokens)
            masks, classes = model.heads(states, model.pixels(pictures, features, tokens))
            for i in range(len(pictures)):
                big = F.interpolate(masks[i][None], size=(256, 256), mode="bilinear", align_corners=False)[0] > 0
                there = classes[i].softmax(-1)[:, -1] < 0.5
                for j, one in enumerate(dev_scenes[k + i]):
                    if one["concept"] not in world.index:
                        continue
                    real = torch.from_numpy(np.array(dev_top[k + i] == j + 1))
                    if not real.any():
                        continue
                    total += 1
                    both = (big & real).flatten(1).sum(1).float()
                    either = (big | real).flatten(1).sum(1).float()
                    share = torch.where(there, both / either, 0)
                    best = int(share.argmax())
                    if share[best] >= 0.5:
                        found += 1
                        shares.append(share[best].item())
                        named += int(classes[i, best, :-1].argmax()) == world.index[one["concept"]]
        return {"iou": sum(shares) / max(1, len(shares)), "found": found / max(1, total),
                "named": named / max(1, found), "objects": total}

    Course("segmenter", model, args, random, average=0.998).run(step, measure)


if __name__ == "__main__":
    main()
