//! The first line of a made-up trace, for the tests and the bench of this crate.

use std::collections::BTreeMap;

use saga_core::spec::{
    BackboneSpec, EpisodeSpec, GameSpec, Identity, Limits, Operation, PlannerSpec,
};
use saga_core::trace::entry::Header;
use saga_core::trace::{FORMAT, FORMAT_VERSION};

/// A header under a hash that is not its identity's, so that goldens stay when the spec gets
/// another default.
pub(crate) fn header(planner: &str, run: u32, turns_max: u32) -> Header {
    let backbone =
        BackboneSpec { name: "scripted".into(), revision: 0, temperature: 0.0, tokens_max: 100 };
    let identity = Identity {
        planner: PlannerSpec {
            name: planner.into(),
            variant: "base".into(),
            parameters: BTreeMap::new(),
        },
        backbones: BTreeMap::from([("default".into(), backbone)]),
        game: GameSpec {
            ruleset: "classic".into(),
            opponents: 2,
            ai_skill: "easy".into(),
            map_seed: 2025,
            game_seed: 1000 * run + 1,
            turns_max,
            settings: Vec::new(),
        },
        run,
        chain_game: 1,
        sampling_seed: u64::MAX,
        limits: Limits::default(),
        infrastructure: 0,
        prompts: BTreeMap::new(),
    };
    Header {
        format: FORMAT.into(),
        version: FORMAT_VERSION.into(),
        written_by: "0.1.0".into(),
        identity_hash: format!("identity-{planner}-{run}"),
        spec: EpisodeSpec { identity, operation: Operation::default() },
    }
}
