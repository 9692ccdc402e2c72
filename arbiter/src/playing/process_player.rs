//! A bot that is a program: one that is started afresh for every request, or for every game.

use std::io;
use std::time::Duration;

use rules::{Answer, Asked, Dialect, Escaped, Measured};

use crate::bot::Contender;
use crate::bot::fingerprint::{Fingerprint, NotTheSame};
use crate::bot::mode::Mode;
use crate::playing::player::{Bot, Player, Reply};
use crate::process::{
    End, Left, Limits, Observed, Request, StartError, Supervised, Supervisor, judge,
};

/// How long a program runs at most that is only started to see that it can be.
const MOMENT: Duration = Duration::from_secs(1);

/// A program in a scratch folder of its own.
#[derive(Debug)]
pub(super) struct ProcessPlayer {
    supervised: Supervised,
    limits: Limits,
    files: Vec<Fingerprint>,
    dialect: Dialect,
    mode: Mode,
    /// Whether a program that lives for a game was started in this one.
    is_begun: bool,
}

impl ProcessPlayer {
    /// A player that starts this contender's program.
    pub(super) fn new(contender: &Contender, supervisor: Supervisor) -> Self {
        let supervised = supervisor.supervise(&contender.program, &contender.sight);
        let files = [&contender.files[..], &contender.interpreters[..]].concat();
        let Contender { limits, dialect, mode, .. } = *contender;
        ProcessPlayer { supervised, limits, files, dialect, mode, is_begun: false }
    }
}

impl Player for ProcessPlayer {
    fn new_game(&mut self) -> io::Result<()> {
        match self.dialect {
            Dialect::Classic(_) => Ok(()),
            Dialect::Native => self.renew_folder(),
        }
    }

    fn game_over(&mut self) {
        if self.is_begun {
            self.supervised.game_over();
            self.is_begun = false;
        }
    }

    fn ask(&mut self, asked: &Asked) -> Reply {
        // What runs already is the program that was there when it was started.
        if !self.is_begun
            && let Err(error) = self.files.iter_mut().try_for_each(Fingerprint::check)
        {
            let end = match error {
                NotTheSame::Changed(_) => End::NotStarted(error.to_string()),
                NotTheSame::Unknown { .. } => End::Fault(error.to_string()),
            };
            return self.reply(Observed::nothing(end, Duration::ZERO)).0;
        }
        match asked {
            Asked::Request(request) => {
                let request = match self.mode {
                    Mode::PerMove => Request::Input(request.as_bytes()),
                    Mode::Resident => Request::Turn(request.as_bytes()),
                };
                let seen = self.supervised.ask(request, &self.limits);
                self.is_begun = matches!(seen.end, End::Answered | End::Unasked);
                self.reply(seen).0
            }
            Asked::Classic { file, arguments } => self.ask_classic(file, arguments),
        }
    }

    fn take_warnings(&mut self) -> Vec<String> {
        self.supervised.take_warnings()
    }

    fn close(&mut self) -> Vec<String> {
        self.supervised.close();
        self.take_warnings()
    }
}

impl Bot for ProcessPlayer {
    fn probe(&mut self) -> Result<(), StartError> {
        self.supervised.probe()
    }

    fn can_be_started(&mut self) -> bool {
        let limits = Limits { time: self.limits.time.min(MOMENT), ..self.limits };
        let seen = self.supervised.ask(Request::Input(b""), &limits);
        !matches!(seen.end, End::Fault(_) | End::NotStarted(_))
    }

    fn renew_folder(&mut self) -> io::Result<()> {
        self.game_over();
        self.supervised.renew_folder()
    }

    fn left(&mut self) -> Left {
        self.supervised.left()
    }
}

impl ProcessPlayer {
    /// The reply that was seen, and what its file holds, where there was one.
    fn reply(&self, observed: Observed) -> (Reply, Vec<u8>) {
        let answer = judge(&observed, &self.limits);
        let measured = Measured {
            ms: milliseconds(observed.wall),
            cpu_ms: observed.cpu.map(milliseconds),
            waited_ms: observed.waited.map(milliseconds),
            referee_waited_ms: observed.referee_waited.map(milliseconds).filter(|it| *it > 0.0),
            stderr: Escaped(observed.stderr),
            stderr_dropped: observed.stderr_dropped,
            escaped: observed.escaped,
        };
        (Reply { answer, measured }, observed.file)
    }

    /// Asks through a file: the program appends its answer.
    fn ask_classic(&mut self, text: &str, words: &[String]) -> Reply {
        // However little an answer may hold, what may be appended is read with a byte to spare: a
        // text that begins like it and continues is another one.
        let longest = words.iter().map(String::len).max().unwrap_or_default();
        let most = text.len() + self.limits.answer_bytes.max(longest + 1);
        let request = Request::File { text: text.as_bytes(), words, most };
        let seen = self.supervised.ask(request, &self.limits);
        let (Reply { answer, measured }, file) = self.reply(seen);
        let answer = match answer {
            Answer::Output(output) => Answer::Classic { file, output },
            stopped => stopped,
        };
        Reply { answer, measured }
    }
}

/// Milliseconds with three decimals: more would be noise in the log.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
