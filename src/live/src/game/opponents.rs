//! Who else sits at the table before the game starts, and how skilled: the one part of the set-up
//! that is no server setting and so has to be read off the players themselves.

use std::collections::BTreeMap;

use saga_core::spec::GameSpec;
use saga_freeciv::packet_fields;
use saga_freeciv::{Packet, Protocol, TableError};

use crate::error::Difference;
use crate::server::script::AI_SKILLS;

packet_fields! {
    struct Told = "PLAYER_INFO" { playerno: Int, flags: Bits, ai_skill_level: Int }
}
packet_fields! { struct Removed = "PLAYER_REMOVE" { playerno: Int } }

/// Position of "played by the server" in the flags of a player.
const IS_AI: usize = 0;

/// The built-in AI players, by player number, with the server's number of their skill.
#[derive(Debug)]
pub(crate) struct Opponents {
    told: Told,
    removed: Removed,
    skills: BTreeMap<i64, i64>,
}

impl Opponents {
    /// Nobody told yet.
    pub(crate) fn new(protocol: &Protocol) -> Result<Self, TableError> {
        let (told, removed) = (Told::resolve(protocol)?, Removed::resolve(protocol)?);
        Ok(Self { told, removed, skills: BTreeMap::new() })
    }

    /// Takes in one packet.
    pub(crate) fn fold(&mut self, packet: &Packet) {
        let told = self.told;
        if packet.is(told.packet) {
            let number = packet.int(told.playerno);
            if packet.bit(told.flags, IS_AI) {
                self.skills.insert(number, packet.int(told.ai_skill_level));
            } else {
                self.skills.remove(&number);
            }
        } else if packet.is(self.removed.packet) {
            self.skills.remove(&packet.int(self.removed.playerno));
        }
    }

    /// How they differ from what was asked for. To be asked before the game starts: barbarians
    /// come later and have a skill of their own.
    pub(crate) fn differences(&self, game: &GameSpec) -> Vec<Difference> {
        let mut all = Vec::new();
        let mut compare = |name: &str, wanted: String, found: String| {
            if wanted != found {
                all.push(Difference { name: name.to_owned(), wanted, found: Some(found) });
            }
        };
        compare("opponents", game.opponents.to_string(), self.skills.len().to_string());
        for skill in self.skills.values() {
            compare("ai_skill", game.ai_skill.clone(), word(*skill));
        }
        all.dedup();
        all
    }
}

/// The server counts skills from 1, after `away`.
fn word(skill: i64) -> String {
    let place = usize::try_from(skill - 1).ok();
    let word = place.and_then(|place| AI_SKILLS.get(place));
    word.map_or_else(|| format!("number {skill}"), |word| (*word).to_owned())
}
