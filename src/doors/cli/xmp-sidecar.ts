import { readFile } from 'node:fs/promises'
import { sha256, UserFault, writeAtomic } from '../../base/index.ts'
import type { Tagged } from './watch-folder.ts'

/**
 * What was tagged as XMP: keywords, and regions as the Metadata Working Group describes them, which digiKam,
 * Lightroom and others read. Boxes become centres and sizes as shares of the picture.
 */
export function xmpOf({ run, width, height, tags }: Tagged): string {
  const names = [...new Set(tags.map(({ label }) => label))]
  const regions = tags.map(({ label, box: [x1, y1, x2, y2] }) => {
    const area = {
      x: (x1 + x2) / 2 / width,
      y: (y1 + y2) / 2 / height,
      w: (x2 - x1) / width,
      h: (y2 - y1) / height,
    }
    const sides = Object.entries(area).map(
      ([side, value]) => `stArea:${side}="${value.toFixed(6)}"`,
    )
    return `      <rdf:li rdf:parseType="Resource">
       <mwg-rs:Area ${sides.join(' ')} stArea:unit="normalized"/>
       <mwg-rs:Name>${escaped(label)}</mwg-rs:Name>
      </rdf:li>`
  })
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
    xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#"
    xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"
    xmlns:pupil="urn:pupil:xmp:1" pupil:run="${escaped(run)}">
   <dc:subject><rdf:Bag>${names.map((name) => `<rdf:li>${escaped(name)}</rdf:li>`).join('')}</rdf:Bag></dc:subject>
   <mwg-rs:Regions rdf:parseType="Resource">
    <mwg-rs:AppliedToDimensions stDim:w="${width}" stDim:h="${height}" stDim:unit="pixel"/>
    <mwg-rs:RegionList>
     <rdf:Bag>
${regions.join('\n')}
     </rdf:Bag>
    </mwg-rs:RegionList>
   </mwg-rs:Regions>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
`
}

/** Labels may have been read in a picture: they become text and nothing else. */
function escaped(text: string): string {
  const marks: Readonly<Record<string, string>> = {
    ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
    ...{ '"': '&quot;', "'": '&#39;' },
  }
  // XML has no place for other control characters, not even quoted.
  const plain = text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, ' ')
  return plain.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark)
}

const END = '<?xpacket end="w"?>'
const SEAL = /<!-- Pupil wrote this, sha256 ([0-9a-f]{64}) -->\n/

/** The document with a digest of itself, by which it is known again as long as nobody changes it. */
function sealed(text: string): string {
  return text.replace(END, `<!-- Pupil wrote this, sha256 ${sha256(text)} -->\n${END}`)
}

function isUntouched(text: string): boolean {
  return SEAL.exec(text)?.[1] === sha256(text.replace(SEAL, ''))
}

/**
 * Writes `picture.jpg.xmp` beside a picture. What others wrote there, or changed in ours, is left alone.
 *
 * @throws UserFault `E_SIDECAR` when there is one that is not as we wrote it
 */
export async function writeSidecar(picture: string, tagged: Tagged): Promise<void> {
  const path = `${picture}.xmp`
  const there = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (there !== undefined && !isUntouched(there)) {
    throw new UserFault(
      'E_SIDECAR',
      `${path} was written or changed by another program and is kept.`,
      {
        fields: { path },
        cure: 'Move it away, or use --to jsonl.',
      },
    )
  }
  await writeAtomic(path, sealed(xmpOf(tagged)))
}
