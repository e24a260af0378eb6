#!/bin/sh
# One question to every picture of a folder, an answer a line:
#   sh cli-batch.sh photos "How many people are there?" > answers.jsonl
folder=${1:?a folder of pictures}
question=${2:-How many people are there?}

for picture in "$folder"/*.jpg; do
  # The document is one JSON object; everything else goes to stderr, and a failing run has an exit code.
  pupil ask "$picture" "$question" --json |
    node -e 'const run = JSON.parse(require("fs").readFileSync(0, "utf8"))
             console.log(JSON.stringify({ picture: process.argv[1], answer: run.answer, run: run.run }))' "$picture" ||
    exit 1
done
