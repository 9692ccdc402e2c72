//! A program that is changed during the match is not started again.

#![cfg(unix)]

use std::fs;
use std::path::Path;

use ::bot::grants::OutsideAccess;
use ::bot::{BotSpec, Contender};
use contest::playing::Player;
use contest::playing::bot;
use rules::{Answer, Prompt, StopCause};
use sandbox::isolation::Isolation;
use sandbox::{Limits, SearchPath, Supervisor};
use tempfile::TempDir;

/// Every supervisor of this system; none of them keeps anything apart.
fn supervisors() -> Vec<Supervisor> {
    #[cfg(target_os = "linux")]
    sandbox::keeper::announce(Path::new(env!("CARGO_BIN_EXE_arbiter")));
    let names =
        ["linux", "portable"].into_iter().filter(|it| cfg!(target_os = "linux") || *it != "linux");
    names.map(|it| Supervisor::named(it.as_ref(), Isolation::Off).expect("it is there")).collect()
}

/// A bot that is two files: a shell, and a script that may change itself.
struct Bot {
    folder: TempDir,
    player: bot::Bot,
}

impl Bot {
    fn new(supervisor: Supervisor, script: &str) -> Bot {
        let folder = TempDir::new().expect("a folder");
        fs::write(folder.path().join("bot.sh"), script).expect("it is ours");
        let bot: BotSpec = "/bin/sh ./bot.sh".parse().expect("a bot");
        let search =
            SearchPath { folder: folder.path().to_path_buf(), built_in: None, path: Vec::new() };
        let prepared =
            Contender::prepare(&bot, "bot", Limits::default(), &search, &OutsideAccess::Everything);
        let contender = prepared.expect("one");
        assert_eq!(contender.digests().len(), 2);
        let player = bot::Bot::new(&contender, supervisor);
        Bot { folder, player }
    }

    fn answer(&mut self) -> Answer {
        self.player.ask(&Prompt::Request("end\n".to_owned()), None).answer
    }

    fn script(&self) -> std::path::PathBuf {
        self.folder.path().join("bot.sh")
    }
}

fn changed() -> Answer {
    Answer::Stopped {
        by: StopCause::NotStarted("`./bot.sh` has changed since the match began".to_owned()),
        output: Vec::new(),
    }
}

fn moves() -> Answer {
    Answer::Output(b"7S\n".to_vec())
}

#[test]
fn a_program_that_changes_itself_has_made_its_last_move() {
    for supervisor in supervisors() {
        // Of the same length, with the time that it had.
        let script = "echo 7S; cp -p $0 new; sed 's/7S/8S/' $0 >new; touch -r $0 new; cat new >$0";
        let mut bot = Bot::new(supervisor, script);
        assert_eq!(bot.answer(), moves(), "{supervisor:?}");
        assert_eq!(bot.answer(), changed(), "{supervisor:?}");
    }
}

#[test]
fn a_program_that_is_gone_was_changed_and_may_come_back() {
    for supervisor in supervisors() {
        let mut bot = Bot::new(supervisor, "echo 7S");
        let away = bot.folder.path().join("away");
        fs::rename(bot.script(), &away).expect("it is ours");
        assert_eq!(bot.answer(), changed(), "{supervisor:?}");
        fs::rename(&away, bot.script()).expect("it is ours");
        assert_eq!(bot.answer(), moves(), "{supervisor:?}");
    }
}

#[test]
fn a_file_that_is_only_touched_is_the_same() {
    for supervisor in supervisors() {
        let mut bot = Bot::new(supervisor, "echo 7S");
        fs::write(bot.script(), "echo 7S").expect("it is ours");
        assert_eq!(bot.answer(), moves(), "{supervisor:?}");
        fs::write(bot.script(), "echo 8S").expect("it is ours");
        assert_eq!(bot.answer(), changed(), "{supervisor:?}");
    }
}
