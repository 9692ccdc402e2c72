//! The screen of a person at a terminal: the table in place, sizes, signs of suits and colours.

#![cfg(target_os = "linux")]

use std::process::Command;

use rustix::process::Signal;
use tests::bench::Bench;
use tests::log;
use tests::playing::{play, play_in_place, typed};
use tests::running::wait_until;
use tests::texts::assert_says;
use tests::typing::Typing;

/// The usual size of a terminal, rows and columns.
const USUAL: (u16, u16) = (24, 80);

fn typing(size: (u16, u16), command: &mut Command) -> Typing {
    Typing::start_sized("xterm-256color", size, command)
}

/// Leaves the game at the next prompt.
fn leave(mut typing: Typing) -> String {
    typing.keys("quit\r");
    typing.line("yes");
    typing.end_well()
}

#[test]
fn the_table_is_drawn_in_place_and_what_was_there_before_scrolls_by() {
    let bench = Bench::new();
    let play = play_in_place(&bench, "tablic", &["greedy"]);
    let words: Vec<String> = [play.get_program()]
        .into_iter()
        .chain(play.get_args())
        .map(|word| format!("'{}'", word.to_string_lossy()))
        .collect();
    let script = format!("echo what was there before; exec {}", words.join(" "));
    let mut shell = bench.command("sh");
    shell.args(["-c", &script]).env("LC_ALL", "C.UTF-8");
    let mut typing = typing(USUAL, &mut shell);
    assert_eq!(typing.prompt().prompt, "card> ");
    let expected = "game 0: seat 0 you, seat 1 greedy\n\n\
                    deal 1 of 4\n  table   3♦ 4♣ 5♠ K♦\n  you     2♥ 2♠ 4♠ 9♠ 10♣ 10♠\n\
                    \x20 greedy  ?? ?? ?? ?? ?? ??\n\n\
                    points  you 0, greedy 0\ntable   3♦ 4♣ 5♠ K♦\n\
                    hand    2♥ 2♠ 4♠ 9♠ 10♣ 10♠\n\
                    type your move, or one of: help, rules, hint, auto, quit\ncard> ";
    assert_eq!(typing.screen().trim_end(), expected.trim_end());
    typing.keys("9♠ 4♣ 5♠\r");
    assert_eq!(typing.prompt().prompt, "card> ");
    let screen = typing.screen();
    assert!(screen.starts_with("game 0: seat 0 you, seat 1 greedy\n\ndeal 1"), "{screen}");
    assert!(screen.contains("\nyou     9♠ takes 4♣ 5♠            table 3♦ K♦\n"), "{screen}");
    assert_eq!(screen.matches("hand    ").count(), 1, "{screen}");
    let all = typing.scrolled();
    // The isolation of bots depends on the machine.
    assert!(all.starts_with("what was there before\nisolation: "), "{all}");
    assert!(all.contains("\nseed commitment: "), "{all}");
    assert_eq!(all.matches("game 0").count(), 1, "no picture scrolls by:\n{all}");
    leave(typing);
    let game = log::games(&bench.path("log")).remove(0);
    assert_eq!(log::replies(&game, 0)[0], "9S 4C 5S", "logs have letters");
}

/// Whole games on a terminal of the usual size: the line that is typed has a row below it, so that
/// nothing scrolls, and the prompt is the last that is to be seen.
#[test]
fn whole_games_are_played_in_place() {
    let games: [(&str, &[&str]); 3] = [
        ("tablic", &["--seats", "3", "random", "greedy"]),
        ("coup", &["--seat", "1", "greedy"]),
        ("durak", &["--options", "transfer=on", "random"]),
    ];
    for (kind, words) in games {
        let bench = Bench::new();
        let mut typing = typing(USUAL, &mut play_in_place(&bench, kind, words));
        let (mut asked_for, mut in_place) = (0, 0);
        while let Some(asked) = typing.try_prompt() {
            asked_for += 1;
            let screen = typing.screen();
            let last = screen.lines().rfind(|row| !row.is_empty()).unwrap_or_default();
            assert_eq!(last.trim_end(), asked.prompt.trim_end(), "{screen}");
            if screen.starts_with("game 0: ") {
                in_place += 1;
                assert!(typing.cursor().0 < USUAL.0 - 1, "{screen}");
            }
            assert!(!screen.contains("all cards"), "{screen}");
            let keys = typed(&asked);
            typing.keys(&format!("{keys}\r"));
        }
        assert!(in_place * 10 >= asked_for * 8, "{kind}: {in_place} of {asked_for} in place");
        assert!(typing.screen().contains("all cards, now that the game is over"));
        typing.end_well();
        bench.verify(&bench.path("log"));
    }
}

#[test]
fn the_table_is_drawn_again_when_the_terminal_changes_its_size() {
    let bench = Bench::new();
    let mut typing = typing(USUAL, &mut play_in_place(&bench, "tablic", &["greedy"]));
    typing.line("9s 4c 5s");
    typing.prompt();
    typing.keys("2x\x1b[D");
    typing.until_on_screen("card> 2x");
    typing.until_column(7);
    typing.resize_until((16, 34), |typing| {
        // A row that is too long goes on below its beginning, between two words.
        let screen = typing.screen();
        screen.contains("\nyou     9♠ takes 4♣ 5♠\n        table 3♦ K♦\n")
            && screen.contains("\nhand    2♥ 2♠ 4♠ 10♣ 10♠\ncard> 2x")
            && typing.cursor().1 == 7
    });
    typing.resize_until((30, 100), |typing| {
        let screen = typing.screen();
        screen.starts_with("game 0: seat 0 you, seat 1 greedy\n\ndeal 1 of 4\n")
            && screen.contains("\nhand    2♥ 2♠ 4♠ 10♣ 10♠\ncard> 2x")
            && typing.cursor().1 == 7
    });
    // Control-L draws it again, too.
    typing.keys("\x0c");
    typing.prompt();
    typing.until_on_screen("\ncard> 2x");
    assert_eq!(typing.screen().matches("hand    ").count(), 1, "{}", typing.screen());
    // The typed text is still there, and the line goes on from it.
    typing.keys("\x1b[3~d\r");
    typing.until_on_screen("2♦ is not in the hand\ncard> ");
    typing.prompt();
    // Long answers push the table up, and the next line brings it back.
    typing.keys("help\r");
    typing.prompt();
    assert!(typing.scrolled().contains("  quit      leave the game"), "{}", typing.screen());
    typing.keys("hint\r");
    typing.prompt();
    let screen = typing.screen();
    assert!(screen.starts_with("game 0: ") && screen.contains("greedy would "), "{screen}");
    leave(typing);
}

/// Text scrolls by where the table does not fit, and the game goes on.
#[test]
fn a_terminal_that_is_too_small_scrolls() {
    let bench = Bench::new();
    let mut typing = typing((6, 40), &mut play_in_place(&bench, "tablic", &["greedy"]));
    while let Some(asked) = typing.try_prompt() {
        if asked.prompt == "card> " {
            assert!(asked.story.contains("\nhand "), "{}", asked.story);
        }
        typing.keys("auto\r");
    }
    let scrolled = typing.scrolled();
    for text in ["deal 1 of 4", "deal 4 of 4", "all cards, now", "result: you "] {
        assert_eq!(scrolled.matches(text).count(), 1, "{text}\n{scrolled}");
    }
    assert!(typing.end().0.success());
    bench.verify(&bench.path("log"));
}

/// The signs of suits are for terminals that have them, colours for those that want them, and
/// neither is in a pipe or in a log.
#[test]
fn suits_and_colours_are_what_the_terminal_can_show() {
    type Variables = &'static [(&'static str, &'static str)];
    // Variables, and whether there are signs, and colours.
    let cases: [(Variables, bool, bool); 4] = [
        (&[("LC_ALL", ""), ("LC_CTYPE", ""), ("LANG", "hr_HR.utf8"), ("NO_COLOR", "")], true, true),
        (&[("LC_ALL", "C"), ("LANG", "hr_HR.UTF-8")], false, true),
        (&[("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1")], true, false),
        (&[("LC_ALL", ""), ("LC_CTYPE", ""), ("LANG", "")], false, true),
    ];
    for (variables, signs, colours) in cases {
        let bench = Bench::new();
        let mut command = play_in_place(&bench, "tablic", &["greedy"]);
        command.envs(variables.iter().copied());
        let mut typing = typing(USUAL, &mut command);
        typing.prompt();
        typing.keys("kd\r");
        typing.prompt();
        let screen = typing.screen();
        assert_eq!(screen.contains("table   3♦ 4♣ 5♠ K♦"), signs, "{variables:?}\n{screen}");
        assert_eq!(screen.contains("table   3D 4C 5S KD"), !signs, "{variables:?}\n{screen}");
        let seen = leave(typing);
        for coloured in ["\x1b[31m", "\x1b[33m"] {
            assert_eq!(seen.contains(coloured), colours, "{variables:?}");
        }
    }
    let bench = Bench::new();
    let mut command = play_in_place(&bench, "tablic", &["random"]);
    let mut typing = Typing::start_on("dumb", &mut command);
    typing.until("card> ");
    typing.keys("quit\ryes\r");
    let (_, seen) = typing.end();
    assert!(seen.contains("3D 4C 5S KD") && !seen.contains('\x1b') && seen.is_ascii(), "{seen}");
}

#[test]
fn signs_are_understood_in_a_pipe_and_shown_by_none() {
    let bench = Bench::new();
    let lines = "9♠ ♣4, 5♠\u{fe0f}\n";
    let typed = bench.write("typed", lines);
    let mut command = play_in_place(&bench, "tablic", &["greedy"]);
    let ended =
        tests::bench::run(command.stdin(std::fs::File::open(typed).expect("it was written")));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    // The typed text is repeated as it was.
    assert_says(&ended.stdout, &["card> 9♠ ♣4, 5♠", "\nyou     9S takes 4C 5S"]);
    let own = ended.stdout.lines().filter(|line| !line.starts_with("card> "));
    assert!(own.clone().all(str::is_ascii) && own.count() > 8, "{}", ended.stdout);
}

/// Whole moves are typed as a bot prints them, and come to the same game.
#[test]
fn a_game_is_played_by_whole_moves() {
    let bench = Bench::new();
    let matched = bench.play("tablic", &[], &["greedy", "random"]).remove(0);
    std::fs::remove_file(bench.path("log")).expect("it was there");
    let moves = log::replies(&matched, 0);
    // Every card is played once, so that it names its move.
    let with = |card: &str| {
        let place = moves.iter().position(|mv| mv.split(' ').next() == Some(card));
        place.expect("the card is played")
    };
    let mut typing = typing(USUAL, &mut play(&bench, "tablic", &["random"]));
    let (mut first_of_hand, mut whole) = (0, 0);
    while let Some(asked) = typing.try_prompt() {
        let hand = asked.story.lines().rev().find_map(|row| row.strip_prefix("hand "));
        if let Some(hand) = hand {
            first_of_hand = hand.split_whitespace().map(with).min().expect("a card");
        }
        let next = match asked.prompt.split_once(" takes") {
            // The only card of the hand, or one that is to take nothing.
            Some((card, _)) => &moves[with(card)],
            None => &moves[first_of_hand],
        };
        let is_lone = !next.contains(' ');
        let keys = if is_lone && asked.prompt != "card> " { "" } else { next.as_str() };
        whole += usize::from(!is_lone);
        typing.keys(&format!("{keys}\r"));
    }
    assert!(typing.end().0.success());
    let game = log::games(&bench.path("log")).remove(0);
    assert_eq!(game["events"], matched["events"]);
    assert!(whole > 5, "{moves:?}");
}

/// While a bot thinks, what was played already is to be seen, and Ctrl-C is answered.
#[test]
fn a_bot_that_thinks_is_waited_for_in_place() {
    let bench = Bench::new();
    let script = "request=$(cat); [ -n \"$request\" ] || exit\n\
                  : > \"$1/reached\"; while [ ! -e \"$1/go\" ]; do sleep 0.01; done\n\
                  printf '%s\\n' \"$request\" | sed -n '/^legal /{n;p;}'\n";
    bench.write("slow.sh", script);
    let bot = format!("slow=sh slow.sh '{}' {}", bench.folder().display(), bench.marker());
    let words = ["--isolation", "off", "--time-limit", "slow=10min", &bot];
    let mut typing = typing(USUAL, &mut play_in_place(&bench, "tablic", &words));
    typing.line("9s 4c 5s");
    wait_until("the bot thinks", || bench.path("reached").exists());
    typing.until_on_screen("slow is thinking");
    let screen = typing.screen();
    assert!(screen.starts_with("game 0: ") && screen.contains("9♠ takes 4♣ 5♠"), "{screen}");
    // The table and the hand are as they are now.
    assert!(screen.contains("\ntable   3♦ K♦\nhand    2♥ 2♠ 4♠ 10♣ 10♠\n"), "{screen}");
    typing.signal(Signal::INT);
    typing.until_on_screen("(Ctrl-C again leaves the game");
    bench.write("go", "");
    assert_eq!(typing.prompt().prompt, "leave the game, yes or no? ");
    typing.keys("no\r");
    assert_eq!(typing.prompt().prompt, "card> ");
    leave(typing);
}

/// A player may be called like a card, and its name stays a name.
#[test]
fn a_name_is_no_card() {
    let bench = Bench::new();
    let command = &mut play_in_place(&bench, "tablic", &["--name", "KD", "AS=greedy"]);
    let mut typing = typing(USUAL, command);
    typing.prompt();
    assert_says(&typing.screen(), &["points  KD 0, AS 0\ntable   3♦ 4♣ 5♠ KD\n"]);
    leave(typing);
}
