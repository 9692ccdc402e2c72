//! A person who types what a test says.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;

use contest::playing::Player;
use person::{Console, ConsoleLine, Person, QuitNotice, Screen, SuitSpelling, TextStyle};
use rules::{Answer, GameKind, PerSeat, Prompt};
use text::terminal::Colours;

/// A console that answers with lines from a list, and then with the end of its input.
#[derive(Debug, Default)]
pub(crate) struct Script {
    lines: VecDeque<ConsoleLine>,
    /// Everything that was shown: text, prompts, and what was typed.
    shown: String,
}

impl Console for Script {
    fn tell(&mut self, text: &str) -> io::Result<()> {
        self.shown.push_str(text);
        Ok(())
    }

    fn ask(&mut self, prompt: &str, _: &[String]) -> io::Result<ConsoleLine> {
        let line = self.lines.pop_front().unwrap_or(ConsoleLine::End);
        let typed = match &line {
            ConsoleLine::Typed(text) => text.as_str(),
            ConsoleLine::Stop => "^C",
            ConsoleLine::End => "^D",
            ConsoleLine::Redraw => "^L",
        };
        self.shown.push_str(&format!("{prompt}{typed}\n"));
        Ok(line)
    }

    fn stops(&mut self) -> io::Result<usize> {
        Ok(0)
    }
}

/// The outcome of a request to a person.
#[derive(Debug)]
pub(crate) struct Asking {
    /// The answer.
    pub(crate) answer: Answer,
    /// Everything that was shown.
    pub(crate) shown: String,
    /// The number of lines that were not asked for.
    pub(crate) unread: usize,
}

impl Asking {
    /// The text of the move that was answered.
    #[expect(clippy::panic, reason = "a test without an answer has failed")]
    pub(crate) fn played(&self) -> &str {
        match &self.answer {
            Answer::Output(text) => std::str::from_utf8(text).expect("text").trim_end(),
            other => panic!("{other:?} after\n{}", self.shown),
        }
    }
}

/// Asks a person who types these lines; `^C` is that key.
pub(crate) fn ask(kind: &GameKind, request: &str, seats: usize, lines: &[&str]) -> Asking {
    let typed = |line: &&str| match *line {
        "^C" => ConsoleLine::Stop,
        text => ConsoleLine::Typed(text.to_owned()),
    };
    let mut script = Script { lines: lines.iter().map(typed).collect(), shown: String::new() };
    let answer = {
        let names = PerSeat::new(seats, |seat| format!("name{seat}"));
        let style = TextStyle { colours: Colours::Plain, suits: SuitSpelling::Letters };
        let farewell = QuitNotice {
            in_first_game: "the log is kept".to_owned(),
            later: "the games are kept".to_owned(),
        };
        let screen = Screen::new(&mut script, style, kind, farewell);
        let screen = RefCell::new(screen);
        screen.borrow_mut().begin("", &names).expect("a string");
        let mut person = Person::new(kind, "name0", &screen);
        screen.borrow_mut().narrate("so far this\n").expect("a string");
        person.ask(&Prompt::Request(request.to_owned()), None).answer
    };
    Asking { answer, shown: script.shown, unread: script.lines.len() }
}
