"""Writes the trained starter models as ONNX with cards: `export.py --runs FOLDER --data FOLDER --to models/starter`.

`--random` exports untrained models of the same shapes (for tests of what reads them).
Injection points keep fixed tensor names: they are made outputs while exporting, then inner again.
"""

import argparse
import hashlib
import json
import os

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

import text
from course import plot
from data import World, boxes_of, crop_box
from features import learnt, name_vectors
from model import (Answerer, Detector, Encoder, Inpainter, Judge, Segmenter, count)

parser = argparse.ArgumentParser()
parser.add_argument("--runs", required=True, help="holds encoder.pt, detector.pt, …")
parser.add_argument("--data", required=True)
parser.add_argument("--to", required=True)
parser.add_argument("--only", default="")
parser.add_argument("--splits", default="world/splits.json")
parser.add_argument("--random", action="store_true")
args = parser.parse_args()
world = World(args.data)
VERSION = "1"


class Call(nn.Module):
    """A model's part as a plain function for the exporter."""

    def __init__(self, model, run):
        super().__init__()
        self.model, self.run = model, run

    def forward(self, *inputs):
        return self.run(self.model, *inputs)


def weights(name, model):
    if not args.random:
        model.load_state_dict(learnt(os.path.join(args.runs, f"{name}.pt")))
    return model.eval()


def write(path, model, run, inputs, outputs, inner=(), meta=None, choose=None, ranked=False):
    """Exports, hides the inner tensors again, stores the metadata, and checks against PyTorch.

    `ranked` outputs stand in an order that near ties may change: their median difference is looked at.
    With `choose` = (real inputs, outputs -> first choices) the share of equal first choices is given:
    weights of half the bytes must keep 99 % of them (picture-world §9).
    """
    path = os.path.join(args.to, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    call = Call(model, run).eval()
    names = list(inputs)
    torch.onnx.export(
        call, tuple(inputs.values()), path, input_names=names, output_names=[*outputs, *inner],
        dynamic_axes={**{n: {0: "n"} for n in names if n != "queries"},
                      **({"queries": {0: "q"}} if "queries" in names else {}),
                      **({"answer": {0: "n", 1: "k"}, "memory": {0: "n"}} if "answer" in names else {})},
        opset_version=17, dynamo=False)
    made = onnx.load(path)
    kept = [o for o in made.graph.output if o.name in outputs]
    del made.graph.output[:]
    made.graph.output.extend(kept)
    for key, value in (meta or {}).items():
        made.metadata_props.add(key=f"pupil.{key}", value=str(value))
    made.doc_string = ""
    halve(made)
    onnx.checker.check_model(made)
    onnx.save(made, path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    got = session.run(list(outputs), {k: v.numpy() for k, v in inputs.items()})
    with torch.no_grad():
        due = call(*inputs.values())
    due = [due] if isinstance(due, torch.Tensor) else list(due)
    apart = np.median if ranked else np.max
    worst = max(float(apart(np.abs(g - d.numpy()))) for g, d in zip(got, due))
    print(f"{path}: {os.path.getsize(path)/1e6:.2f} MB, differs from PyTorch by {worst:.1e}", flush=True)
    assert worst < 0.1, path
    if choose is None or args.random:
        return None
    real, first = choose
    got = first([torch.from_numpy(x) for x in session.run(list(outputs), {k: v.numpy() for k, v in real.items()})])
    with torch.no_grad():
        due = call(*real.values())
    due = first([due] if isinstance(due, torch.Tensor) else list(due))
    share = (got == due).float().mean().item()
    print(f"{path}: {share:.4f} of {got.numel()} first choices as with float32", flush=True)
    assert share >= 0.99, path
    return {"firstChoicesAsFloat32": round(share, 4), "of": got.numel()}


def dev_crops(limit=600):
    """Objects of development scenes [n, 3, 64, 64]."""
    rgb, top, scenes = world.scenes("dev-scenes")
    found = [crop_box(rgb[i], box, 64) for i, objects in enumerate(scenes[:200])
             for box in boxes_of(top[i], len(objects)) if box is not None]
    return torch.stack(found[:limit])


def dev_scenes(limit=60):
    rgb, _, _ = world.scenes("dev-scenes")
    return torch.from_numpy(np.array(rgb[:limit])).permute(0, 3, 1, 2).float() / 255


def halve(made):
    """Stores larger weights as float16 and casts them back at the head of the graph; sums stay float32."""
    casts = []
    for tensor in made.graph.initializer:
        values = onnx.numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 1024:
            continue
        name = tensor.name
        tensor.CopyFrom(onnx.numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}.half"], [name], f"widen {name}", to=onnx.TensorProto.FLOAT))
    nodes = casts + list(made.graph.node)
    del made.graph.node[:]
    made.graph.node.extend(nodes)


def sha(path):
    return hashlib.sha256(open(path, "rb").read()).hexdigest()


def card(name, title, injection, recipe, limits, more=None, halved=None):
    folder = os.path.join(args.to, name)
    log = os.path.join(args.runs, f"{name}-log.json")
    state = json.load(open(log)) if os.path.exists(log) and not args.random else {}
    files = {f: sha(os.path.join(folder, f)) for f in sorted(os.listdir(folder)) if f.endswith(".onnx")}
    body = {
        "name": f"starter-{name}", "version": VERSION, "title": title, "files": files,
        "splitsHash": sha(args.splits), "spriteHash": world.sprite_hash, "injection": injection,
        "recipe": {**recipe, "steps": state.get("step"), "cpuSeconds": round(state.get("cpu", 0)), "seed": 1},
        "figures": {"training": (state.get("figures") or [None])[-1], **({"halved": halved} if halved else {})},
        "limits": limits, **(more or {}),
    }
    path = os.path.join(folder, "card.json")
    if os.path.exists(path):
        old = json.load(open(path))
        body["figures"] = {**old.get("figures", {}), **body["figures"]}
        # What is said of these very weights stays with them.
        if old.get("files") == files and "note" in old:
            body["note"] = old["note"]
    json.dump(body, open(path, "w"), indent=1)
    open(os.path.join(folder, "card.md"), "w").write(prose(body))
    if state.get("losses"):
        plot(state["losses"], os.path.join(folder, "loss.svg"))


def prose(body):
    """The card in words; figures measured later stand in card.json and docs/picture-world.md."""
    enters = ", ".join(f"`{i['tensor']}` ({i['count']} x {i['width']})" for i in body["injection"]) or "nowhere"
    lines = [f"# {body['name']} {body['version']}", "", f"{body['title']}.", "",
             f"- Parameters: {body.get('parameters', 0):,}", f"- Prompts enter at {enters}",
             f"- Trained on {body['recipe']['data']}; held-out concepts, their names and drawings, and the "
             "development and final styles were not among them" if body["name"] != "starter-judge" else
             f"- Trained on {body['recipe']['data']}",
             f"- Recipe: `{body['recipe']['script']}`, seed {body['recipe']['seed']}, {body['recipe']['steps']} steps, "
             f"{body['recipe']['cpuSeconds']} processor seconds of one core (PyTorch, training time only)",
             f"- Splits `{body['splitsHash'][:12]}`, drawings `{body['spriteHash'][:12]}`",
             *([f"- These weights: {body['note']}"] if "note" in body else []),
             f"- Cannot do: {', '.join(body['limits'])}",
             "- Licence: weights Apache-2.0; the drawings' attributions stand in NOTICE", "", "Files (SHA-256):", ""]
    lines += [f"- `{name}` `{digest}`" for name, digest in body["files"].items()]
    lines += ["", "Figures by the training script (objects and scenes of the development style) and the export:", ""]
    lines += ["```json", json.dumps(body["figures"], indent=1), "```", ""]
    return "\n".join(lines)


def wanted(name):
    there = args.random or os.path.exists(os.path.join(args.runs, f"{name}.pt"))
    return there and (not args.only or name in args.only.split(","))


def vocabulary():
    return text.load(os.path.join(args.runs, "subwords.json"))


def meta(name, **more):
    return {"name": f"starter-{name}", "version": VERSION, "splits": sha(args.splits), **more}


names = [c["label"] for c in world.concepts]
ids = [c["id"] for c in world.concepts]
DRAWINGS = ["photographs", "objects below 40 px", "text in pictures", "concepts outside its names"]
views = os.path.join(args.data, "train-seen.i16")
# A scene seen is four numbers of two bytes.
SCENES = f"{os.path.getsize(views) // 8:,}" if os.path.exists(views) else "12,000"
DATA = "noto, noto-v1, Fluent flat, Fluent 3D, fxemoji and emojione drawings of 429 known concepts"
os.makedirs(args.to, exist_ok=True)
subwords = vocabulary()
subwords.save(os.path.join(args.to, "subwords.json"))

if wanted("encoder"):
    model = weights("encoder", Encoder(subwords.size, len(ids)))

    def see(m, pixels):
        x = m.image.begin(pixels)
        into = []
        for layer in m.image.layers:
            into.append(x)
            x = layer(x)
        return m.image.end(into[0], x), into[0], into[1], into[2]

    def read(m, tokens):
        embedded = m.text.table(tokens)
        return m.text.rest(embedded, tokens), embedded

    scale = float(model.scale.exp().clamp(max=40))
    known = torch.randn(len(ids), 192) if args.random else name_vectors(world, os.path.join(args.runs, "encoder.pt"))
    halved = write("encoder/model.onnx", model, see, {"pixels": torch.rand(2, 3, 64, 64)}, ["image"],
                   ["block0", "block1", "block2"],
                   meta("encoder", injection="block0,block1,block2", width=192, feature="image", scale=scale),
                   choose=({"pixels": dev_crops()}, lambda out: (out[0] @ known.T).argmax(1)))
    phrases = torch.tensor([subwords.encode("a photo of an owl"), subwords.encode("the red bus")])
    write("text/model.onnx", model, read, {"ids": phrases}, ["text"], ["embedded"],
          meta("text", injection="embedded", width=192, feature="text"))
    card("encoder", "SELECT, CLASSIFY: crops to unit vectors",
         [{"tensor": f"block{i}", "count": 1, "width": 192} for i in range(3)],
         {"data": DATA, "script": "train/starter/encoder.py"}, DRAWINGS,
         {"scale": scale, "feature": "image", "names": names, "ids": ids, "parameters": count(model.image)}, halved)
    card("text", "text of 16 subwords to unit vectors", [{"tensor": "embedded", "count": 1, "width": 192}],
         {"data": DATA, "script": "train/starter/encoder.py"}, DRAWINGS, {"parameters": count(model.text)})

if wanted("detector"):
    model = weights("detector", Detector())

    def detect(m, pixels, queries):
        features = m.trunk.features(pixels)
        tokens = m.trunk.before(features)
        x = tokens
        for layer in m.trunk.layers:
            x = layer(x)
        states = m.trunk.norm(x[:, :256])
        boxes, logits = m.heads(states, features, queries)
        return boxes, logits, states.mean(1), tokens, x

    queries = torch.randn(429, 192) if args.random else name_vectors(world, os.path.join(args.runs, "encoder.pt"))
    # The name of each scene's surest token.
    surest = lambda out: out[1].flatten(1).argmax(1) % len(queries)
    halved = write("detector/model.onnx", model, detect,
          {"pixels": torch.rand(2, 3, 256, 256), "queries": torch.nn.functional.normalize(torch.randn(5, 192), dim=-1)},
          ["boxes", "logits", "pooled"], ["tokens", "tokens_all"],
          meta("detector", injection="tokens", removedAt="tokens_all", width=192, feature="pooled"),
          choose=({"pixels": dev_scenes(200), "queries": queries}, surest))
    card("detector", "LOC: boxes and how well they meet text vectors",
         [{"tensor": "tokens", "count": 10, "width": 192, "removedAt": "tokens_all"}],
         {"data": f"{SCENES} scenes of {DATA}", "script": "train/starter/detector.py"}, DRAWINGS,
         {"feature": "pooled", "parameters": count(model)}, halved)

if wanted("segmenter"):
    model = weights("segmenter", Segmenter(len(ids)))

    def segment(m, pixels):
        features = m.trunk.features(pixels)
        tokens = m.trunk(features)
        _, chosen = m.queries(tokens)
        x = tokens.gather(1, chosen[..., None].expand(-1, -1, tokens.shape[2]))
        start = x
        for layer in m.layers:
            x = layer(x, tokens)
        states = m.norm(x[:, : m.QUERIES])
        masks, classes = m.heads(states, m.pixels(pixels, features, tokens))
        return masks, classes, tokens.mean(1), start, x

    halved = write("segmenter/model.onnx", model, segment, {"pixels": torch.rand(2, 3, 256, 256)},
          ["masks", "classes", "pooled"], ["decoder_in", "decoder_all"],
          meta("segmenter", injection="decoder_in", removedAt="decoder_all", width=192, feature="pooled"),
          choose=({"pixels": dev_scenes()}, lambda out: out[1].argmax(-1).sort(1).values), ranked=True)
    card("segmenter", "SEG: masks and their names",
         [{"tensor": "decoder_in", "count": 10, "width": 192, "removedAt": "decoder_all"}],
         {"data": f"the whole ones of {SCENES} scenes of {DATA}", "script": "train/starter/segmenter.py"}, DRAWINGS,
         {"feature": "pooled", "names": names, "ids": ids, "parameters": count(model)}, halved)

if wanted("vqa"):
    model = weights("vqa", Answerer(subwords.size))

    def encode(m, pixels, question):
        return m.read(m.trunk(m.trunk.features(pixels)), question)

    def decode(m, memory, answer):
        x = m.begin(answer)
        return m.write(x, memory), x

    question = torch.zeros(2, 32, dtype=torch.long)
    question[:, 0] = text.END
    memory = torch.randn(2, 32, 192)
    write("vqa/encode.onnx", model, encode, {"pixels": torch.rand(2, 3, 256, 256), "question": question},
          ["memory", "pooled"], [], meta("vqa", width=192, feature="pooled"))
    with torch.no_grad():
        asked = torch.tensor([subwords.merged("what is this?") + [text.END]]).expand(60, -1)
        remembered = encode(model, dev_scenes(), torch.nn.functional.pad(asked, (0, 32 - asked.shape[1])))[0]
    begun = torch.full((60, 1), text.START)
    halved = write("vqa/decode.onnx", model, decode, {"memory": memory, "answer": torch.tensor([[1, 5, 6], [1, 7, 9]])},
          ["logits"], ["decoder_in"], meta("vqa", injection="decoder_in", width=192),
          choose=({"memory": remembered, "answer": begun}, lambda out: out[0][:, -1].argmax(-1)))
    card("vqa", "VQA, CAPTION: questions answered in words", [{"tensor": "decoder_in", "count": 1, "width": 192}],
         {"data": f"{SCENES} scenes or sides of scenes and 6,000 boxes of {DATA}", "script": "train/starter/vqa.py"},
         [*DRAWINGS, "questions of several steps"],
         {"feature": "pooled", "question": "subwords, END, padded with 0 to 32; END alone asks for a caption",
          "answer": "START, then up to 10 subwords, END", "parameters": count(model)}, halved)

if wanted("inpaint"):
    model = weights("inpaint", Inpainter())

    def fill(m, noisy, picture, mask, time, condition):
        return m(noisy, picture, mask, time, condition)

    write("inpaint/model.onnx", model, fill,
          {"noisy": torch.randn(2, 3, 64, 64), "picture": torch.rand(2, 3, 64, 64),
           "mask": torch.ones(2, 1, 64, 64), "time": torch.tensor([0.9, 0.2]), "condition": torch.randn(2, 192)},
          ["predicted"], [], meta("inpaint", injection="condition", width=192))
    card("inpaint", "REPLACE: what a hole shall hold, at 64x64",
         [{"tensor": "condition", "count": 1, "width": 192}],
         {"data": DATA, "script": "train/starter/inpaint.py"},
         [*DRAWINGS, "pictures that can be recognised: so far its fillings are soft patches of plausible colour"],
         {"steps": 20, "schedule": "alpha = cos(pi/2 t), sigma = sin(pi/2 t), x0 predicted in -1..1",
          "parameters": count(model)})

if wanted("judge"):
    model = weights("judge", Judge(len(world.all) + 1))
    halved = write("judge/model.onnx", model, lambda m, pixels: m(pixels), {"pixels": torch.rand(2, 3, 64, 64)},
                   ["logits"], [], meta("judge"), choose=({"pixels": dev_crops()}, lambda out: out[0].argmax(1)))
    card("judge", "judge of edits; no tool may load it", [],
         {"data": "known and new concepts, training styles, own seed", "script": "train/starter/judge.py"},
         [*DRAWINGS, "styles it was not trained in: there it names half of known things"],
         {"names": [c["label"] for c in world.all] + ["nothing"], "ids": [c["id"] for c in world.all] + ["nothing"],
          "parameters": count(model)}, halved)
