"""Trains the starter detector (LOC): `detector.py --data FOLDER --encoder enc.pt --out FOLDER`.

Needs what features.py wrote. The text vectors that it is asked with are the encoder's, frozen.
"""

import numpy as np
import torch
import torch.nn.functional as F

from course import Course, arguments
from data import World, boxes_of
from features import name_vectors, opened_views, stem_of
from model import Detector, count

args = arguments(minutes=25, batch=32, rate=1e-3, encoder="")
random = np.random.default_rng(args.seed)
world = World(args.data)
_, _, scenes = world.scenes("train-scenes")
stems, seen = opened_views(args.data, "train")
scenes = scenes[: len(stems)]
dev_rgb, dev_top, dev_scenes = world.scenes("dev-scenes")


def truth_of(row):
    """Concepts and boxes (0..1 of the padded square) of a scene's objects, as far as its view shows them.

    A view of a part (side_of) shows a box when half of it remains; what remains is the box.
    """
    x1, y1, x2, y2 = (int(v) for v in seen[row])
    scale = min(256 / max(x2 - x1, y2 - y1), 2)
    classes, boxes = [], []
    for one in scenes[row]:
        a1, b1, a2, b2 = one["box"]
        c1, d1, c2, d2 = max(a1, x1), max(b1, y1), min(a2, x2), min(b2, y2)
        if c2 > c1 and d2 > d1 and (c2 - c1) * (d2 - d1) >= 0.5 * (a2 - a1) * (b2 - b1):
            classes.append(world.index[one["concept"]])
            boxes.append([(c1 - x1) * scale, (d1 - y1) * scale, (c2 - x1) * scale, (d2 - y1) * scale])
    return torch.tensor(classes, dtype=torch.long), torch.tensor(boxes).view(-1, 4) / 256


truth = [truth_of(i) for i in range(len(scenes))]


def giou(a, b):
    """Generalised IoU of rows of boxes xyxy."""
    upper, lower = torch.max(a[:, :2], b[:, :2]), torch.min(a[:, 2:], b[:, 2:])
    inside = (lower - upper).clamp(min=0).prod(1)
    area = lambda x: (x[:, 2:] - x[:, :2]).clamp(min=0).prod(1)
    union = area(a) + area(b) - inside
    hull = (torch.max(a[:, 2:], b[:, 2:]) - torch.min(a[:, :2], b[:, :2])).prod(1)
    return inside / union.clamp(min=1e-6) - (hull - union) / hull.clamp(min=1e-6)


def assigned(cells, boxes):
    """For each cell the object whose centre region it is in (the smallest), or -1."""
    owner = torch.full((256,), -1)
    if len(boxes) == 0:
        return owner
    centre, size = (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]
    # A quarter of the box around its centre, and at least the cell that holds the centre.
    near = ((cells[:, None] - centre).abs() <= (size / 5).clamp(min=1 / 32 + 1e-4)).all(-1)
    area = size.prod(1)
    rank = torch.where(near, area, torch.inf)
    best = rank.min(1)
    owner[best.values.isfinite()] = best.indices[best.values.isfinite()]
    return owner


def main():
    model = Detector()
    trunk, encoder = stem_of(args.encoder)
    model.trunk.load_state_dict(trunk.state_dict())
    model.begin_from(encoder)
    for p in model.trunk.stem.parameters():
        p.requires_grad = False
    names = name_vectors(world, args.encoder)
    print(f"{count(model)/1e6:.2f} M parameters, {len(scenes)} scenes", flush=True)

    def step(_):
        rows = np.sort(random.integers(len(scenes), size=args.batch))
        features = torch.from_numpy(np.stack([stems[i] for i in rows])).float()
        flips = random.integers(2, size=len(rows)) == 1
        features[flips] = features[flips].flip(-1)
        owner, labels, wanted, pairs = [], [], [], []
        for i, (row, flip) in enumerate(zip(rows, flips)):
            classes, boxes = truth[row]
            if flip and len(boxes):
                boxes = torch.stack([1 - boxes[:, 2], boxes[:, 1], 1 - boxes[:, 0], boxes[:, 3]], 1)
            own = assigned(model.cells, boxes)
            at = (own >= 0).nonzero()[:, 0]
            pairs.append(torch.stack([torch.full_like(at, i), at], 1))
            labels.append(classes[own[at]])
            wanted.append(boxes[own[at]])
        at, labels, wanted = torch.cat(pairs), torch.cat(labels), torch.cat(wanted)
        boxes, logits, _ = model(features, names)
        target = torch.zeros_like(logits)
        target[at[:, 0], at[:, 1], labels] = 1
        chance = logits.sigmoid()
        # Focal loss, gamma 2, alpha 0.5.
        miss = torch.where(target > 0, 1 - chance, chance)
        plain = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        weight = torch.where(target > 0, 0.6, 0.4)
        focal = (weight * miss**2 * plain).sum() / len(at)
        found = boxes[at[:, 0], at[:, 1]]
        # Which of all names it is, where there is something: sharper than one-against-rest alone.
        which = F.cross_entropy(logits[at[:, 0], at[:, 1]], labels, label_smoothing=0.02)
        return 2 * focal + 0.5 * which + 3 * (found - wanted).abs().sum(1).mean() + 2 * (1 - giou(found, wanted)).mean()

    def measure(limit=200):
        return average_precision(model, names, limit)

    course = Course("detector", model, args, random, average=0.998)
    course.run(step, measure)


def suppressed(boxes, scores, at=0.5):
    order = scores.argsort(descending=True)
    kept = []
    for i in order.tolist():
        if all(iou(boxes[i], boxes[j]) < at for j in kept):
            kept.append(i)
    return kept


def iou(a, b):
    inside = (torch.min(a[2:], b[2:]) - torch.max(a[:2], b[:2])).clamp(min=0).prod()
    return inside / ((a[2:] - a[:2]).prod() + (b[2:] - b[:2]).prod() - inside)


def average_precision(model, names, limit):
    """AP50 over known names (each asked of each scene) and recall at a low threshold."""
    found, total, covered = [], 0, 0
    for k in range(0, limit, 20):
        pixels = torch.from_numpy(np.array(dev_rgb[k : k + 20])).permute(0, 3, 1, 2).float() / 255
        boxes, logits, _ = model(model.trunk.features(pixels), names)
        for i in range(len(pixels)):
            objects = dev_scenes[k + i]
            real = [(world.index[o["concept"]], torch.tensor(b).float() / 256)
                    for o, b in zip(objects, boxes_of(dev_top[k + i], len(objects)))
                    if b is not None and o["concept"] in world.index]
            total += len(real)
            scores = logits[i].sigmoid()
            taken = set()
            # At most the 300 best, so that an untrained model is soon measured too.
            low = max(0.05, scores.flatten().topk(300).values[-1].item())
            at, which = (scores > low).nonzero(as_tuple=True)
            for c in which.unique().tolist():
                mine = at[which == c]
                kept = suppressed(boxes[i, mine], scores[mine, c])
                for j in kept:
                    box, score = boxes[i, mine[j]], scores[mine[j], c].item()
                    hit = next((r for r, (d, b) in enumerate(real)
                                if d == c and r not in taken and iou(box, b) >= 0.5), None)
                    if hit is not None:
                        taken.add(hit)
                    found.append((score, hit is not None))
            covered += len(taken)
    found.sort(reverse=True)
    right = np.cumsum([hit for _, hit in found]) if found else np.zeros(1)
    precision = right / np.arange(1, len(right) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    gained = np.diff(np.concatenate([[0], right]))
    return {"ap50": float((best * gained).sum() / max(1, total)), "recall": covered / max(1, total), "objects": total}


if __name__ == "__main__":
    main()
