//! Plays toy episodes: builds the spec, records to a file, replays, re-records.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use saga_baselines::direct::Direct;
use saga_baselines::mastaba::Mastaba;
use saga_core::backbone::Backbone;
use saga_core::game::Game;
use saga_core::planner::Planner;
use saga_core::play::play;
use saga_core::prompts::Prompts;
use saga_core::replay::{CheckingOutput, Record, ReplayBackbone, ReplayGame, Verdict};
use saga_core::spec::{
    BackboneSpec, Durability, EpisodeSpec, GameSpec, INFRASTRUCTURE_REVISION, Identity, Limits,
    Operation, PlannerSpec,
};
use saga_core::stop::Stop;
use saga_core::trace::entry::End;
use saga_core::trace::{Output, TraceWriter};

/// The planners under test.
pub(crate) const METHODS: [Method; 3] = [Method::Direct, Method::Mastaba, Method::SketchOnly];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Direct,
    Mastaba,
    SketchOnly,
}

impl Method {
    pub(crate) fn planner(self, prompts: &Prompts, turns_max: u32) -> Box<dyn Planner + '_> {
        match self {
            Method::Direct => Box::new(Direct),
            Method::Mastaba => Box::new(Mastaba::new(prompts, turns_max, false)),
            Method::SketchOnly => Box::new(Mastaba::new(prompts, turns_max, true)),
        }
    }

    fn name(self) -> &'static str {
        if self == Method::Direct { "direct" } else { "mastaba" }
    }
}

/// The templates of all planners.
pub(crate) fn prompts() -> Prompts {
    Prompts::new(saga_baselines::TEMPLATES).expect("the embedded templates are valid")
}

/// An episode of the toy game.
pub(crate) fn spec(method: Method, seed: u32, turns_max: u32) -> EpisodeSpec {
    let backbone =
        BackboneSpec { name: "toy".to_owned(), revision: 0, temperature: 0.7, tokens_max: 512 };
    let planner = PlannerSpec {
        name: method.name().to_owned(),
        variant: "base".to_owned(),
        parameters: [("sketch_only".to_owned(), (method == Method::SketchOnly).into())].into(),
    };
    let names = if seed.is_multiple_of(2) { "hostile" } else { "plain" };
    let setting = |k: &str, v: &str| (k.to_owned(), v.to_owned());
    EpisodeSpec {
        identity: Identity {
            planner,
            backbones: [("default".to_owned(), backbone)].into(),
            game: GameSpec {
                ruleset: "toy".to_owned(),
                opponents: 2,
                ai_skill: "easy".to_owned(),
                map_seed: 1,
                game_seed: seed,
                turns_max,
                settings: vec![setting("map", "island"), setting("names", names)],
            },
            run: 1,
            chain_game: 1,
            sampling_seed: u64::from(seed),
            limits: Limits { review_turns: 4, ..Limits::default() },
            infrastructure: INFRASTRUCTURE_REVISION,
            prompts: prompts().hashes(),
        },
        operation: Operation {
            budget_tokens: None,
            server_timeout_s: 60,
            durability: Durability::None,
        },
    }
}

/// The same on another map.
pub(crate) fn on_map(mut spec: EpisodeSpec, map: &str) -> EpisodeSpec {
    map.clone_into(&mut spec.identity.game.settings[0].1);
    spec
}

/// A folder that goes when the test does.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("saga-faults-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }

    /// The trace of this name.
    pub(crate) fn trace(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.trace.jsonl.zst"))
    }

    /// What lies in it.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder is there");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("readable").file_name();
        let mut names: Vec<String> =
            entries.map(name).map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Plays with the method the spec names, into any output.
pub(crate) fn play_into(
    spec: &EpisodeSpec,
    game: &mut dyn Game,
    backbone: &dyn Backbone,
    output: &mut dyn Output,
) -> Result<End, Stop> {
    let prompts = prompts();
    let mut planner = method(spec).planner(&prompts, spec.identity.game.turns_max);
    play(spec, &mut *planner, game, backbone, &prompts, output)
}

fn method(spec: &EpisodeSpec) -> Method {
    let planner = &spec.identity.planner;
    match planner.parameters.get("sketch_only").and_then(serde_json::Value::as_bool) {
        _ if planner.name == "direct" => Method::Direct,
        Some(true) => Method::SketchOnly,
        _ => Method::Mastaba,
    }
}

/// Plays to a file.
pub(crate) fn record(
    spec: &EpisodeSpec,
    game: &mut dyn Game,
    backbone: &dyn Backbone,
    path: &Path,
) -> Result<End, Stop> {
    let mut writer = TraceWriter::create(path, Durability::None).expect("a fresh file");
    play_into(spec, game, backbone, &mut writer)
}

/// Replays a record with these prompts, handing on what was found equal.
pub(crate) fn replay(
    record: &Record,
    prompts: &Prompts,
    tee: Option<&mut dyn Output>,
) -> (Verdict, u64) {
    let mut spec = record.trace().header().spec.clone();
    spec.identity.prompts = prompts.hashes();
    let mut planner = method(&spec).planner(prompts, spec.identity.game.turns_max);
    let mut output = CheckingOutput::new(record);
    if let Some(tee) = tee {
        output = output.tee(tee);
    }
    let (mut game, backbone) = (ReplayGame::new(record), ReplayBackbone::new(record));
    let played = play(&spec, &mut *planner, &mut game, &backbone, prompts, &mut output);
    (output.finished(&played), output.checked().lines)
}
