//! Asking one program again and again, and keeping in mind how it behaved.

use std::io;

use rules::{Answer, Asked, Dialect, Escaped, Measured, Ruling, Sample, Verdict};

use crate::check::noticed::Noticed;
use crate::check::{Stopped, machine};
use crate::player::{Player, ProcessPlayer, Reply};

/// Somebody who asks the bot.
pub(super) struct Asker {
    player: ProcessPlayer,
    dialect: Dialect,
    noticed: Noticed,
    /// What is looked at now.
    step: String,
    last: Option<Exchange>,
}

/// What was asked and what came back.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) asked: Asked,
    pub(super) answer: Answer,
    pub(super) measured: Measured,
}

impl Asker {
    pub(super) fn new(player: ProcessPlayer, dialect: Dialect) -> Asker {
        let (step, noticed) = (String::new(), Noticed::default());
        Asker { player, dialect, noticed, step, last: None }
    }

    /// The way in which the bot is asked.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Goes on to a step, to which what is noticed from now on belongs.
    pub(super) fn begin(&mut self, step: &str) {
        step.clone_into(&mut self.step);
    }

    /// Goes on in a fresh scratch folder, whatever the dialect.
    pub(super) fn refresh(&mut self) -> Result<(), Stopped> {
        let renewed = self.player.renew_scratch();
        renewed.map_err(|error| machine("cannot make a scratch folder", error))
    }

    /// Asks in a fresh scratch folder, and says what the answer is worth.
    pub(super) fn ask_afresh(
        &mut self,
        asked: Asked,
        sample: &Sample,
    ) -> Result<(Exchange, Ruling), Stopped> {
        self.refresh()?;
        let exchange = self.exchange(asked);
        let ruling = sample.rule(exchange.answer.clone());
        match ruling.verdict {
            Verdict::Void => Err(Stopped::Machine(ruling.detail)),
            _ => Ok((exchange, ruling)),
        }
    }

    /// What was asked last and what came back.
    pub(super) fn last(&self) -> Option<&Exchange> {
        self.last.as_ref()
    }

    /// All that was noticed, once nothing more is asked.
    pub(super) fn close(self) -> Noticed {
        let mut noticed = self.noticed;
        noticed.unremoved(self.player.close());
        noticed
    }

    fn exchange(&mut self, asked: Asked) -> Exchange {
        let Reply { answer, measured } = self.player.ask(&asked);
        self.noticed.add(&self.step, &measured, self.player.scratch());
        Exchange { asked, answer, measured }
    }
}

impl Exchange {
    /// What was printed.
    pub(super) fn output(&self) -> Escaped {
        match &self.answer {
            Answer::Output(output)
            | Answer::Classic { output, .. }
            | Answer::Stopped { output, .. } => Escaped(output.clone()),
            Answer::Void(_) => Escaped::default(),
        }
    }
}

/// In a game it sits at the table as any player does.
impl Player for Asker {
    fn new_game(&mut self) -> io::Result<()> {
        self.player.new_game()
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let exchange = self.exchange(asked.clone());
        let reply = Reply { answer: exchange.answer.clone(), measured: exchange.measured.clone() };
        self.last = Some(exchange);
        reply
    }
}
