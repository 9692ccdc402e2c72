//! Asking one program again and again, and keeping in mind how it behaved.

use std::io;

use rules::{Answer, Asked, Dialect, Escaped, Ruling, Sample, Verdict, reply};

use crate::check::noticed::Noticed;
use crate::check::{Stopped, machine};
use crate::player::{Heard, Player, ProcessPlayer, Reply, measured};
use crate::process::Observed;

/// Somebody who asks the bot.
pub(super) struct Asker {
    player: ProcessPlayer,
    dialect: Dialect,
    noticed: Noticed,
    /// What is looked at now.
    step: String,
    last: Option<Exchange>,
}

/// A request and what came back.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) asked: Asked,
    pub(super) observed: Observed,
    pub(super) answer: Answer,
}

impl Exchange {
    /// What was asked, as text for a person.
    pub(super) fn request(&self) -> String {
        match &self.asked {
            Asked::Request(request) => request.clone(),
            Asked::Classic { file, arguments } => {
                let shown = |text: &String| Escaped(text.clone().into_bytes()).to_string();
                let arguments: Vec<String> = arguments.iter().map(shown).collect();
                format!("file `{}`\narguments {}\n", shown(file), arguments.join(" "))
            }
        }
    }

    /// What was answered, without the white space around it.
    pub(super) fn played(&self) -> String {
        match (&self.asked, &self.answer) {
            (Asked::Classic { file: before, .. }, Answer::Classic { file, output }) => {
                let appended = file.strip_prefix(before.as_bytes()).unwrap_or(file).to_vec();
                let printed = Escaped(output.trim_ascii().to_vec());
                format!("{} {printed}", Escaped(appended)).trim_end().to_owned()
            }
            _ => reply::line(&self.observed.stdout).unwrap_or_default().to_owned(),
        }
    }
}

impl Asker {
    pub(super) fn new(player: ProcessPlayer, dialect: Dialect) -> Asker {
        Asker { player, dialect, noticed: Noticed::default(), step: String::new(), last: None }
    }

    /// Goes on to a step, to which what is noticed from now on belongs.
    pub(super) fn begin(&mut self, step: &str) {
        step.clone_into(&mut self.step);
    }

    /// Asks in a fresh scratch folder, and says what the answer is worth.
    pub(super) fn ask_afresh(
        &mut self,
        request: &str,
        sample: &Sample,
    ) -> Result<(Exchange, Ruling), Stopped> {
        self.new_game().map_err(|error| machine("cannot make a scratch folder", error))?;
        let native = || Asked::Request(request.to_owned());
        let asked = match self.dialect {
            Dialect::Native => native(),
            Dialect::Classic => sample.asked(self.dialect).unwrap_or_else(native),
        };
        let exchange = self.exchange(&asked);
        let ruling = sample.rule(exchange.answer.clone());
        match ruling.verdict {
            Verdict::Void => Err(Stopped::Machine(ruling.detail)),
            _ => Ok((exchange, ruling)),
        }
    }

    /// The last request and what came back.
    pub(super) fn last(&self) -> Option<&Exchange> {
        self.last.as_ref()
    }

    /// All that was noticed.
    pub(super) fn noticed(&self) -> &Noticed {
        &self.noticed
    }

    fn exchange(&mut self, asked: &Asked) -> Exchange {
        let Heard { observed, answer } = self.player.hear(asked);
        self.noticed.add(&self.step, &observed, self.player.scratch());
        Exchange { asked: asked.clone(), observed, answer }
    }
}

/// In a game it sits at the table as any player does.
impl Player for Asker {
    fn new_game(&mut self) -> io::Result<()> {
        self.player.new_game()
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        let exchange = self.exchange(asked);
        let measured = measured(&exchange.observed);
        let answer = exchange.answer.clone();
        self.last = Some(exchange);
        Reply { answer, measured }
    }
}
