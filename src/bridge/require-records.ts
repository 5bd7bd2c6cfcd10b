// A door of its own: whoever has no records yet is told so before everything else is loaded.
export { requireRecords } from '../store/embedded/cluster.js';
