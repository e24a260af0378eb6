"""Trains the judge of edits: `python train/starter/judge.py --data FOLDER --out FOLDER`.

It alone sees the new concepts; no tool may load it (picture-world §8).
"""

import numpy as np
import torch
import torch.nn.functional as F

from course import Course, arguments
from data import SceneCrops, World, blobs, boxes_of, crop_box, crops, extents, halved, jitter, over, place
from model import Judge, count

args = arguments(minutes=45, batch=128, rate=2e-3)
random = np.random.default_rng(args.seed + 1000)
world = World(args.data)
known, of_known = world.sprites("train-sprites")
new, of_new = world.sprites("new-sprites")
sprites = halved(torch.cat([known, new]))
labels = np.array([world.all_index[s["concept"]] for s in of_known + of_new])
by_concept = [np.flatnonzero(labels == i) for i in range(len(world.all))]
scene_crops = SceneCrops(world, world.all_index)
# Things of which an outline shows half of its box: others can show nothing else, and edits of them are not judged.
covered = (sprites[:, 3] > 0.5).float().mean((1, 2)) / extents(sprites)[:, 2:].prod(1)
roomy = np.flatnonzero(covered >= 0.5)
nothing = len(world.all)
model = Judge(nothing + 1).to(memory_format=torch.channels_last)
print(f"{count(model)/1e6:.2f} M parameters, {len(sprites)} drawings", flush=True)


def replacements(new, old):
    """Crops as an edit leaves them: the new thing covers the box of the old one and shows inside its outline."""
    picture = blobs(len(new), 64, random)
    under = place(old, 64, random, (0.9, 1.02), 0.03, squash=extents(old))
    picture = over(picture, under)
    above = place(new, 64, random, (0.95, 1.4), 0.06, turn=4, squash=extents(new))
    return jitter(torch.where(under[:, 3:] > 0.5, over(picture, above), picture), random)


def step(_):
    n, empty = args.batch, args.batch // 10
    # Scenes show known things only: the new ones come oftener among those painted here.
    old, all_ = len(world.concepts), len(world.all)
    fresh = random.uniform(0, 1, n - empty) < 1.5 * (1 - old / all_) if all_ > old else np.zeros(n - empty, bool)
    picked = np.where(fresh, random.integers(old, max(all_, old + 1), n - empty), random.integers(old, size=n - empty))
    rows = [by_concept[i][random.integers(len(by_concept[i]))] for i in picked]
    other = random.integers(len(sprites), size=n - empty)
    full = crops(sprites[rows], sprites[other], 64, random, recolour=False)
    third = (n - empty) // 3
    full[-third:] = replacements(sprites[rows[-third:]], sprites[roomy[other[-third:] % len(roomy)]])
    if scene_crops.listed:
        # A third as scenes show known things.
        cut, cut_target = scene_crops.draw(third, random)
        full[: len(cut)], picked[: len(cut)] = cut, cut_target.numpy()
    bare = blobs(empty, 64, random)
    # An empty ground may have a neighbour's rim in it.
    half = empty // 2
    rim = place(sprites[random.integers(len(sprites), size=half)], 64, random, (0.5, 0.9), 0.15)
    rim = torch.roll(rim, shifts=(int(random.choice([-52, 52])), 0), dims=(2, 3))
    rim[:, :, 12:52] = 0
    bare[:half] = over(bare[:half], rim)
    pixels = torch.cat([full, jitter(bare, random)])
    target = torch.cat([torch.from_numpy(picked), torch.full((empty,), nothing)])
    pixels = pixels.contiguous(memory_format=torch.channels_last)
    return F.cross_entropy(model(pixels), target, label_smoothing=0.05)


def measure(limit=1500):
    rgb, top, scenes = world.scenes("dev-scenes")
    jig, pixels, truth = np.random.default_rng(7), [], []
    for i, objects in enumerate(scenes):
        for one, box in zip(objects, boxes_of(top[i], len(objects))):
            if box is not None and len(truth) < limit:
                pixels.append(crop_box(rgb[i], box, 64, jig))
                truth.append(world.all_index[one["concept"]])
    logits = torch.cat([model(torch.stack(pixels[k : k + 100])) for k in range(0, len(pixels), 100)])
    right = (logits.argmax(1) == torch.tensor(truth)).float()
    is_new = torch.tensor(truth) >= len(world.concepts)
    empty = model(jitter(blobs(300, 64, jig), jig)).argmax(1) == nothing
    return {"known": right[~is_new].mean().item(), "new": right[is_new].mean().item() if is_new.any() else None,
            "nothing": empty.float().mean().item()}


# It must know the drawings it is shown, so none are recoloured here as for the encoder.
Course("judge", model, args, random, average=0.999).run(step, measure)
