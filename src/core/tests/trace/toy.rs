//! A game of a few tiles, a planner that asks a batch a turn and a backbone that misbehaves on
//! request: enough to write traces of every shape. They exist in these tests only.

use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering};

use saga_core::action::{Action, Outcome};
use saga_core::backbone::{
    AnswerShape, Backbone, CallId, Completion, Fault, FaultKind, Message, Prompt, Usage,
};
use saga_core::calls::{Calls, Question};
use saga_core::game::{FinalRecord, Game, Over, Reply, Request, ServerRecord};
use saga_core::ids::AdvanceId;
use saga_core::observation::{Event, Observation};
use saga_core::plan::Plan;
use saga_core::planner::{Planner, TurnView};
use saga_core::play::play;
use saga_core::prompts::Prompts;
use saga_core::rules::Rules;
use saga_core::spec::{Durability, EpisodeSpec};
use saga_core::stop::Stop;
use saga_core::trace::entry::End;
use saga_core::trace::{Output, TraceWriter};
use serde_json::json;

/// How an episode goes.
#[derive(Clone)]
pub(crate) struct Toy {
    pub(crate) turns: u32,
    /// Calls of the planner in one turn.
    pub(crate) batch: u32,
    pub(crate) lanes: usize,
    /// The game is lost when this turn is ended; 0: at the begin.
    pub(crate) game_lost: Option<u32>,
    /// The server would not begin the game.
    pub(crate) refused: bool,
    /// In this turn the third call of the planner meets an outage.
    pub(crate) outage: Option<u32>,
    pub(crate) budget_tokens: Option<u64>,
    /// Answers that a careless writer could not read back.
    pub(crate) babble: bool,
    /// A word of the planner's prompt.
    pub(crate) word: &'static str,
}

impl Default for Toy {
    fn default() -> Self {
        let (game_lost, refused, outage, budget_tokens) = (None, false, None, None);
        let (turns, batch, lanes, babble, word) = (8, 4, 1, false, "city");
        Self { turns, batch, lanes, game_lost, refused, outage, budget_tokens, babble, word }
    }
}

impl Toy {
    pub(crate) fn spec(&self) -> EpisodeSpec {
        let spec = json!({
            "identity": {
                "planner": { "name": "toy", "variant": "base", "parameters": {} },
                "backbones": {
                    "default": { "name": "toy", "temperature": 0.7, "tokens_max": 100 }
                },
                "game": {
                    "ruleset": "toy", "opponents": 0, "ai_skill": "easy", "map_seed": 2025,
                    "game_seed": 1001, "turns_max": self.turns, "settings": [["size", "1"]]
                },
                "run": 1, "chain_game": 1, "sampling_seed": 7,
                "limits": {
                    "rounds_max": 1, "reprompts_max": 2, "history_max": 5, "review_turns": 6
                },
                "prompts": { "toy": "abc" }
            },
            "operation": {
                "budget_tokens": self.budget_tokens, "server_timeout_s": 1, "durability": "none"
            }
        });
        serde_json::from_value(spec).expect("a spec")
    }

    /// Plays against the toy game and backbone.
    pub(crate) fn play(&self, output: &mut dyn Output) -> Result<End, Stop> {
        let mut game = ToyGame { turn: 1, toy: self.clone() };
        let backbone = ToyBackbone {
            toy: self.clone(),
            begun: AtomicU32::new(0),
            together: Barrier::new(self.lanes.min(self.batch as usize)),
        };
        self.play_with(&mut game, &backbone, output)
    }

    /// Plays with other ports.
    pub(crate) fn play_with(
        &self,
        game: &mut dyn Game,
        backbone: &dyn Backbone,
        output: &mut dyn Output,
    ) -> Result<End, Stop> {
        self.play_as(&self.spec(), game, backbone, output)
    }

    /// Plays with another spec and other ports.
    pub(crate) fn play_as(
        &self,
        spec: &EpisodeSpec,
        game: &mut dyn Game,
        backbone: &dyn Backbone,
        output: &mut dyn Output,
    ) -> Result<End, Stop> {
        let prompts = Prompts::new(&[]).expect("prompts");
        let mut planner = ToyPlanner { toy: self.clone() };
        play(spec, &mut planner, game, backbone, &prompts, output)
    }

    /// Writes its trace under this name and returns the path.
    pub(crate) fn record(&self, name: &str) -> PathBuf {
        let path = fresh(name);
        let mut writer = TraceWriter::create(&path, Durability::None).expect("a new file");
        self.play(&mut writer).expect("an end");
        path
    }
}

/// A path in the tests' folder with nothing there.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join("game-1.trace.jsonl.zst")
}

/// Lines as a trace file: the first two in the header frame, the others in one more.
pub(crate) fn pack(path: &Path, lines: &[String]) {
    let mut bytes = Vec::new();
    let (head, rest) = lines.split_at(2.min(lines.len()));
    for part in [head, rest] {
        if !part.is_empty() {
            bytes.extend(zip((part.join("\n") + "\n").as_bytes()));
        }
    }
    std::fs::write(path, bytes).expect("written");
}

/// One checksummed frame.
pub(crate) fn zip(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).expect("an encoder");
    encoder.include_checksum(true).expect("a checksum");
    std::io::Write::write_all(&mut encoder, text).expect("written");
    encoder.finish().expect("finished")
}

struct ToyGame {
    turn: u32,
    toy: Toy,
}

impl Game for ToyGame {
    fn exchange(&mut self, request: &Request) -> Result<Reply, Stop> {
        let lost = |what: &str| Err(Stop::ServerLost(format!("no answer to {what}")));
        match request {
            Request::Begin { .. } if self.toy.refused => {
                Err(Stop::Refused("\"size\" is 2 and 1 was asked for".to_owned()))
            }
            Request::Begin { .. } if self.toy.game_lost == Some(0) => lost("begin"),
            Request::Begin { .. } => Ok(Reply::Begun {
                server: ServerRecord {
                    version: "toy".to_owned(),
                    capability: String::new(),
                    binary_hash: "0".to_owned(),
                    settings: Vec::new(),
                },
                rules: rules().into(),
                observation: Box::new(observation(1)),
            }),
            Request::Orders { orders } => Ok(Reply::Settled {
                outcomes: orders.iter().map(|_| Outcome::Done).collect(),
                observation: Box::new(observation(self.turn)),
            }),
            Request::EndTurn { turn } if self.toy.game_lost == Some(*turn) => lost("end_turn"),
            Request::EndTurn { .. } => {
                self.turn += 1;
                let observation = Box::new(observation(self.turn));
                Ok(if self.turn > self.toy.turns {
                    Reply::Over { how: Over::TurnLimit, observation }
                } else {
                    Reply::TurnBegun { observation }
                })
            }
            Request::Finish => Ok(Reply::Finished { record: FinalRecord::default() }),
        }
    }
}

struct ToyPlanner {
    toy: Toy,
}

impl Planner for ToyPlanner {
    fn plan(&mut self, view: &TurnView<'_>, calls: &mut Calls<'_>) -> Result<Plan, Stop> {
        let turn = view.observation.turn;
        let question = |i| Question {
            role: "planner".to_owned(),
            entity: format!("unit:{i}"),
            messages: vec![
                Message::system("Umlaute: äöü, \u{1F3DB}"),
                Message::user(format!(
                    "turn {turn}: where shall unit {i} found a {}?",
                    self.toy.word
                )),
            ],
            answer: AnswerShape::Text,
        };
        let answers = calls.batch((1..=self.toy.batch).map(question).collect())?;
        let texts = answers.into_iter().map(|a| a.map_or_else(|f| f.detail, |c| c.text));
        calls.note("sites", json!(texts.collect::<Vec<_>>()))?;
        Ok(Plan::default())
    }
}

struct ToyBackbone {
    toy: Toy,
    begun: AtomicU32,
    together: Barrier,
}

impl Backbone for ToyBackbone {
    fn complete(&self, id: &CallId, prompt: &Prompt) -> Result<Result<Completion, Fault>, Stop> {
        let outage = self.toy.outage == Some(id.turn) && id.role == "planner";
        if outage {
            // The first calls are all in flight when one of them meets the outage.
            if self.begun.fetch_add(1, Ordering::SeqCst) < self.toy.lanes as u32 {
                self.together.wait();
            }
            if id.entity == "unit:3" || id.entity == "unit:4" {
                return Err(Stop::BackboneLost { call: id.clone(), detail: "refused".to_owned() });
            }
        }
        let hash = blake3::hash(&serde_json::to_vec(prompt).expect("plain data"));
        let number =
            hash.as_bytes().iter().fold(0_u64, |sum, b| sum.wrapping_mul(31) + u64::from(*b));
        let input = Some(100);
        let usage = Usage { input, output: Some(number % 9), ..Usage::default() };
        if matches!(prompt.answer, AnswerShape::Choice { .. }) {
            return Ok(Ok(completion("1".to_owned(), usage, number)));
        }
        if number.is_multiple_of(5) {
            let (kind, model) = (FaultKind::Refusal, "toy".to_owned());
            return Ok(Err(Fault { kind, detail: "I would rather not".to_owned(), usage, model }));
        }
        let mut answer = completion(format!("at {}", number % 97), usage, number);
        if self.toy.babble {
            let nested = (0..number % 200).fold(json!(0), |inner, _| json!([inner]));
            answer.probabilities = Some(vec![0.5, f64::NAN]);
            answer.response = Some(if number.is_multiple_of(2) { nested } else { json!(null) });
        }
        Ok(Ok(answer))
    }

    fn lanes(&self) -> usize {
        self.toy.lanes
    }
}

fn completion(text: String, usage: Usage, number: u64) -> Completion {
    // Floats of every exponent: what a lenient parser would read one unit off.
    let share = 1.0 / (number as f64 + 3.0);
    Completion {
        text,
        tool_calls: Vec::new(),
        usage,
        model: "toy".to_owned(),
        probabilities: Some(vec![share, 1.0 - share, share * 1e-200]),
        response: Some(json!({ "logprob": share.ln(), "id": number })),
    }
}

pub(crate) fn observation(turn: u32) -> Observation {
    let rates = json!({ "tax": 40, "luxury": 0, "science": 60 });
    let tile = |x: u32| json!({ "at": [x, 0], "seen": true, "terrain": 0 });
    let tiles: Vec<_> = (0..4).map(tile).collect();
    let observation = json!({
        "seat": 0, "turn": turn, "year": -4000 + turn as i32 * 50,
        "me": {
            "name": "Ada", "alive": true, "score": turn, "gold": 50, "rates": rates,
            "rate_max": 60, "government": 0, "revolution_ends": null, "culture": 0,
            "advances": [],
            "research": { "now": null, "bulbs": 0, "cost": 10, "goal": null, "bulbs_per_turn": 1 },
            "technology_actions": [], "government_actions": []
        },
        "players": [], "cities": [], "foreign_cities": [], "units": [], "foreign_units": [],
        "map": { "width": 4, "height": 1, "wrap_x": true, "wrap_y": false, "tiles": tiles },
        "treaties": [], "events": []
    });
    let mut observation: Observation = serde_json::from_value(observation).expect("one");
    observation.me.technology_actions = vec![Action::Research { advance: AdvanceId(1) }];
    let text = format!("Turn {turn} begins.");
    observation.events.push(Event { kind: "turn".to_owned(), text, at: None });
    observation
}

fn rules() -> Rules {
    let advance = |name: &str| {
        json!({
            "name": name, "requires": [], "steps": 1, "cost_centibulbs": 1000, "removed": false,
            "flags": []
        })
    };
    let rules = json!({
        "name": "toy", "version": "", "move_fragments": 3, "city_distance_min": 2,
        "city_radius_sq": 5, "terrains": [], "extras": [], "unit_classes": [], "unit_types": [],
        "buildings": [], "advances": [advance("None"), advance("Pottery")],
        "governments": [{ "name": "Anarchy", "reqs": [] }], "specialists": [], "effects": [],
        "enablers": []
    });
    serde_json::from_value(rules).expect("rules")
}
