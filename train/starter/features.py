"""Writes what the frozen stem makes of pictures, once: `features.py --data FOLDER --encoder enc.pt`.

Detector, segmenter and answerer train on `train-stem.f16` [n, 128, 32, 32] and `train-views.rgb`, so that
an epoch costs a third. Each scene is seen once, under its own colour jitter.
"""

import argparse
import os

import numpy as np
import torch
import torch.nn.functional as F

import text
from data import World, jitter, with_article
from model import TextTower, Trunk


def learnt(checkpoint):
    """What was learnt there: the running average of the weights where one was kept."""
    saved = torch.load(checkpoint, weights_only=False)
    return saved.get("average") or saved["model"]


def stem_of(checkpoint):
    """A trunk that holds the trained encoder's stem and first blocks; and that encoder's state."""
    state = learnt(checkpoint)
    trunk = Trunk()
    trunk.load_state_dict({k[len("image."):]: v for k, v in state.items()
                           if k.startswith("image.stem.") and not k.startswith("image.stem.5")}, strict=False)
    for i, layer in enumerate(trunk.layers):
        layer.load_state_dict({k[len(f"image.layers.{i}."):]: v for k, v in state.items()
                               if k.startswith(f"image.layers.{i}.")})
    return trunk.eval(), state


def name_vectors(world, checkpoint):
    """The encoder's text vectors [429, 192] of "a photo of an owl"."""
    state = learnt(checkpoint)
    subwords = text.load(os.path.join(os.path.dirname(checkpoint), "subwords.json"))
    tower = TextTower(subwords.size)
    tower.load_state_dict({k[5:]: v for k, v in state.items() if k.startswith("text.")})
    ids = torch.tensor([subwords.encode(f"a photo of {with_article(c)}") for c in world.concepts])
    with torch.no_grad():
        told = tower.eval()(ids)
    table = F.normalize(state["names"], dim=-1)
    near = (told * table).sum(1).mean().item()
    print(f"texts meet the names' vectors at a cosine of {near:.3f}", flush=True)
    # While the texts are still learning, what they learn to meet stands in.
    return told if near > 0.8 else table


def opened_views(data, name):
    """Stem outputs [n, 128, 32, 32] and what was seen [n, 4] of scenes (`train`) or objects (`crops`)."""
    path = os.path.join(data, f"{name}-seen.i16")
    n = os.path.getsize(path) // 8
    stem = np.memmap(os.path.join(data, f"{name}-stem.f16"), np.float16, "r", shape=(n, 128, 32, 32))
    return stem, np.memmap(path, np.int16, "r", shape=(n, 4))


def padded(pixels):
    """A picture [3, h, w] as LOC, SEG and VQA read it: scaled to fit 256 (enlarged at most twice), grey beyond."""
    height, width = pixels.shape[1:]
    scale = min(256 / max(height, width), 2)
    size = (max(1, round(height * scale)), max(1, round(width * scale)))
    if size != (height, width):
        pixels = F.interpolate(pixels[None], size=size, mode="bilinear", align_corners=False, antialias=True)[0]
    out = torch.full((3, 256, 256), 0.5)
    out[:, : size[0], : size[1]] = pixels
    return out


def side_of(box, random):
    """What CROP_LEFTOF, RIGHTOF, ABOVE or BELOW leave of a 256x256 picture beside a box; None when too little."""
    x1, y1, x2, y2 = box
    x, y = (x1 + x2) // 2, (y1 + y2) // 2
    rect = [(0, 0, x, 256), (x, 0, 256, 256), (0, 0, 256, y), (0, y, 256, 256)][random.integers(4)]
    return rect if rect[2] - rect[0] >= 48 and rect[3] - rect[1] >= 48 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--encoder", required=True)
    parser.add_argument("--crops", action="store_true", help="object boxes instead of scenes")
    parser.add_argument("--count", type=int, default=12_000, help="how many views")
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--of", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    world = World(args.data)
    rgb, _, scenes = world.scenes("train-scenes")
    trunk, _ = stem_of(args.encoder)
    name = "crops" if args.crops else "train"
    random = np.random.default_rng(5 + args.part)
    n = min(args.count, len(scenes))
    start, stop = n * args.part // args.of, n * (args.part + 1) // args.of
    stem = opened(os.path.join(args.data, f"{name}-stem.f16"), np.float16, (n, 128, 32, 32))
    # Scenes: the part of each that is seen (x1, y1, x2, y2). Crops: which object of the scene.
    seen = opened(os.path.join(args.data, f"{name}-seen.i16"), np.int16, (n, 4))
    views = None if args.crops else opened(os.path.join(args.data, "train-views.rgb"), np.uint8, (n, 256, 256, 3))
    with torch.no_grad():
        for k in range(start, stop, 16):
            rows = range(k, min(k + 16, stop))
            made = []
            for i in rows:
                objects = scenes[i]
                rect = (0, 0, 256, 256)
                if args.crops:
                    seen[i] = (random.integers(len(objects)), 0, 0, 0)
                    x1, y1, x2, y2 = objects[seen[i][0]]["box"]
                    w, h = x2 - x1, y2 - y1
                    jig = random.uniform(-0.06, 0.06, 4) * (w, h, w, h)
                    rect = np.round(np.array([x1, y1, x2, y2]) + jig).astype(int).clip(0, 256)
                elif random.uniform() < 0.3:
                    rect = side_of(objects[random.integers(len(objects))]["box"], random) or rect
                if not args.crops:
                    seen[i] = rect
                x1, y1, x2, y2 = rect
                part = torch.from_numpy(np.array(rgb[i, y1:y2, x1:x2])).permute(2, 0, 1).float() / 255
                # Scenes keep their scale, so that boxes and masks stay where they are.
                made.append(padded(jitter(part[None], random)[0]))
            pixels = (torch.stack(made) * 255).round().clamp(0, 255).byte()
            if views is not None:
                views[rows[0] : rows[-1] + 1] = pixels.permute(0, 2, 3, 1).numpy()
            stem[rows[0] : rows[-1] + 1] = trunk.features(pixels.float() / 255).half().numpy()
            if (k - start) % 1600 == 0:
                print(f"{name} {k - start} of {stop - start}", flush=True)


def opened(path, kind, shape):
    """A memory-mapped file of that shape, made when it is not there."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    if not os.path.exists(path) or os.path.getsize(path) != size:
        with open(path, "wb") as file:
            file.truncate(size)
    return np.memmap(path, kind, "r+", shape=shape)


if __name__ == "__main__":
    main()
