export type {
  FaultReason,
  FoundBox,
  FoundEntry,
  FoundLine,
  SourceArgs,
  SourceCall,
  SourceOutput,
  SourceProvider,
  SourceTool,
} from './provider.ts'
export { faultReason, LOCAL_SOURCE, sourceFault } from './provider.ts'
export type { FetchOptions, Fetched, GuardedFetch, GuardOptions } from './guarded-fetch.ts'
export { guardedFetch } from './guarded-fetch.ts'
export type { Fetch } from './http-source.ts'
export { brave, searxng } from './web-search.ts'
export type { WikimediaOptions } from './wikimedia.ts'
export { wikidata, wikimediaClient, wikipedia } from './wikimedia.ts'
export { kiwix } from './kiwix.ts'
export type { FoundPicture, PictureSource } from './picture-sources.ts'
export { commons, openverse, pictureTitles, searxngPictures } from './picture-sources.ts'
export { cloudVision, outgoingPicture, serpapiLens } from './image-search.ts'
export type { PictureEncoder, PictureIndex, PictureRow, PictureToIndex } from './picture-index.ts'
export { openPictureIndex, pictureIndexSource, vectorIndex } from './picture-index.ts'
export { pictureFolder } from './picture-folder.ts'
export { openPage } from './open-page.ts'
export { wordnetFacts } from './wordnet-facts.ts'
export { visionSources } from './vision-sources.ts'
export { documentsSource } from './documents.ts'
export type { Passage } from './passages/build.ts'
export { buildPassageIndex } from './passages/build.ts'
export type { PassageHit, PassageIndex } from './passages/search.ts'
export { openPassageIndex } from './passages/search.ts'
