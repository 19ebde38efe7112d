//! What happens between two moments of a game: orders carried out one by one, the turn ended, and
//! the game played out when we are dead.

use saga_core::action::{Order, Outcome};
use saga_core::game::{Over, Reply};
use saga_freeciv::Step;

use super::Seat;
use super::session::{Awaited, Halt, Session};

/// Makes the server play on without waiting for anybody. A dead player cannot end its turns, and
/// the server would wait for it for ever.
const PLAY_OUT: &str = "/set timeout -1";
/// When we are dead, this many turns may take as long as one answer may otherwise.
const TURNS_PER_LIMIT: u32 = 20;

impl Seat {
    /// Carries out the orders, each judged before the next is sent.
    pub(super) fn carry_out(&mut self, orders: &[Order]) -> Result<Reply, Halt> {
        let mut outcomes = Vec::with_capacity(orders.len());
        for order in orders {
            self.session.check_interrupt()?;
            outcomes.push(carry_out(&mut self.session, order)?);
        }
        let observation = self.session.look()?;
        if self.session.world.alive() {
            self.last.clone_from(&observation);
        }
        Ok(Reply::Settled { outcomes, observation: Box::new(observation) })
    }

    /// Ends the turn we play.
    ///
    /// # Panics
    /// When `turn` is another one: the server ignores that, and we would wait for nothing.
    pub(super) fn end_turn(&mut self, turn: u32) -> Result<Reply, Halt> {
        let playing = self.session.world.turn();
        assert_eq!(turn, playing, "the turn loop ends the turn that is being played");
        if self.session.world.alive() {
            self.pass(turn)?;
        }
        if self.session.world.ending().is_none() {
            if self.session.world.alive() {
                self.last = self.session.look()?;
                return Ok(Reply::TurnBegun { observation: Box::new(self.last.clone()) });
            }
            self.play_out(turn)?;
        }
        self.over(turn)
    }

    /// Says that we are done; returns when the next turn has begun for us, or the game has ended.
    pub(super) fn pass(&mut self, turn: u32) -> Result<(), Halt> {
        let session = &mut self.session;
        session.queue("PLAYER_PHASE_DONE", &[("turn", turn.into())])?;
        let (before, limit) = (session.world.turns_begun(), session.limit());
        session.wait(Awaited::Turn(turn + 1), limit, |session| {
            session.world.turns_begun() > before || session.world.ending().is_some()
        })
    }

    /// Lets the server play the rest. This is the only place where chat is sent, and always this
    /// one text: at our level of access chat is a shell into the server, so no word that a model
    /// wrote may ever reach it.
    fn play_out(&mut self, turn: u32) -> Result<(), Halt> {
        let session = &mut self.session;
        session.queue("CHAT_MSG_REQ", &[("message", PLAY_OUT.into())])?;
        let turns_left = self.turns_max.saturating_sub(turn);
        let whole = session.limit() * (1 + turns_left.div_ceil(TURNS_PER_LIMIT));
        session.wait(Awaited::End(turn), whole, |session| session.world.ending().is_some())
    }

    /// The closing report has begun to arrive.
    pub(super) fn over(&mut self, turn: u32) -> Result<Reply, Halt> {
        self.session.settle()?;
        let won = self.session.world.ending().is_some_and(|e| e.players.iter().any(|p| p.winner));
        let how = match self.session.world.alive() {
            false => Over::Eliminated,
            true if won || turn < self.turns_max => Over::Victory,
            true => Over::TurnLimit,
        };
        if how != Over::Eliminated {
            self.last = self.session.observe()?;
        }
        Ok(Reply::Over { how, observation: Box::new(self.last.clone()) })
    }
}

fn carry_out(session: &mut Session, order: &Order) -> Result<Outcome, Halt> {
    let mut script = session.world.start(order);
    loop {
        match script.next(&session.world) {
            Step::Send(requests) => session.ask(requests)?,
            Step::Finished(outcome) => return Ok(outcome),
        }
    }
}
