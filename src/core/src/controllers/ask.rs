//! Asks the controllers' questions: one wave of calls for all menus, then waves of re-prompts for
//! those that gave no lawful answer, then a no-op for those that never did.

use serde::Serialize;

use crate::action::Action;
use crate::backbone::{AnswerShape, Completion, Fault, Message};
use crate::calls::{Calls, Question};
use crate::stop::Stop;
use crate::trace::entry::Decision;

use super::site::Land;
use super::{Controllers, Menu, Moment, answer, label, slice};

/// Variables of `controller/system`.
#[derive(Serialize)]
struct System {
    domain: &'static str,
}

/// Variables of `controller/user`.
#[derive(Serialize)]
struct User<'a> {
    turn: u32,
    turns_max: u32,
    slice: String,
    directive: &'a str,
    brief: &'a str,
    recent: Vec<&'a String>,
    options: &'a [String],
}

/// Variables of `controller/again`.
#[derive(Serialize)]
struct Again<'a> {
    fault: &'a str,
    count: usize,
}

/// A menu on its way to a decision.
struct Asking {
    menu: Menu,
    labels: Vec<String>,
    messages: Vec<Message>,
    attempts: u32,
    fault: String,
    chosen: Option<usize>,
}

impl Controllers<'_> {
    /// One decision for each menu, in the order of the menus.
    pub(super) fn ask(
        &self,
        moment: &Moment<'_>,
        menus: Vec<Menu>,
        calls: &mut Calls<'_>,
    ) -> Result<Vec<Decision>, Stop> {
        let land = Land::of(moment.observation, moment.rules);
        let mut asking: Vec<Asking> =
            menus.into_iter().map(|m| self.open(moment, &land, m)).collect::<Result<_, _>>()?;
        for _ in 0..self.spec.identity.limits.reprompts_max {
            let open: Vec<usize> =
                (0..asking.len()).filter(|i| asking[*i].chosen.is_none()).collect();
            if open.is_empty() {
                break;
            }
            let questions = open.iter().map(|i| asking[*i].question()).collect();
            for (i, reply) in open.into_iter().zip(calls.batch(questions)?) {
                self.read(&mut asking[i], reply)?;
            }
        }
        Ok(asking.into_iter().map(|a| a.decided(moment.round)).collect())
    }

    fn open(&self, moment: &Moment<'_>, land: &Land<'_>, menu: Menu) -> Result<Asking, Stop> {
        let labels: Vec<String> = label::options(moment, land, &menu);
        let directive = self.directive(menu.domain, menu.actor);
        let recent: Vec<&String> =
            self.history.get(&(menu.domain, menu.actor)).into_iter().flatten().collect();
        let system = System { domain: menu.domain.word() };
        let user = User {
            turn: moment.observation.turn,
            turns_max: self.spec.identity.game.turns_max,
            slice: slice::about(moment, land, &menu),
            directive: directive.map_or("", |d| d.text.as_str()),
            brief: directive.map_or("", |d| d.brief.as_str()),
            recent,
            options: &labels,
        };
        let messages = vec![
            Message::system(self.prompts.render("controller/system", system)?),
            Message::user(self.prompts.render("controller/user", user)?),
        ];
        Ok(Asking { menu, labels, messages, attempts: 0, fault: String::new(), chosen: None })
    }

    /// Takes one reply: a choice, or one more round of words.
    fn read(&self, asking: &mut Asking, reply: Result<Completion, Fault>) -> Result<(), Stop> {
        asking.attempts += 1;
        let (said, fault) = match reply {
            Ok(completion) => match answer::choice(&completion.text, &asking.labels) {
                Ok(chosen) => {
                    asking.chosen = Some(chosen);
                    return Ok(());
                }
                Err(fault) => (completion.text, fault),
            },
            Err(fault) => (String::new(), format!("{:?}: {}", fault.kind, fault.detail)),
        };
        let again = Again { fault: &fault, count: asking.labels.len() };
        if !said.is_empty() {
            asking.messages.push(Message::assistant(said));
        }
        asking.messages.push(Message::user(self.prompts.render("controller/again", again)?));
        asking.fault = fault;
        Ok(())
    }
}

impl Asking {
    fn question(&self) -> Question {
        Question {
            role: format!("controller:{}", self.menu.domain.word()),
            entity: self.menu.actor.to_string(),
            messages: self.messages.clone(),
            answer: AnswerShape::Choice { options: self.labels.clone() },
        }
    }

    fn decided(self, round: u32) -> Decision {
        let options = self.menu.options.len() as u32;
        let chosen = self.chosen.and_then(|i| self.menu.options.into_iter().nth(i));
        let no_op = chosen.is_none().then_some(self.fault);
        Decision {
            round,
            domain: self.menu.domain,
            actor: self.menu.actor,
            action: chosen.unwrap_or(Action::Skip),
            options,
            attempts: self.attempts,
            no_op,
            outcome: None,
        }
    }
}
