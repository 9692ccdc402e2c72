//! Lines of a league's log that change the rules of its game.

use std::fs;

use league::League;
use league::folder::{LeagueError, LeagueFolder};
use league::line::{FORMAT, LONGEST_REASON, LeagueHeader, LeagueLine, RulesChange};
use league::publish::PublicLeague;
use league::settings::LastSettings;
use rules::custom::{
    CustomGame, CustomRulesKind, NoAnswer, PROTOCOL, RulesId, RulesInstance, RulesSource,
};
use rules::{Digest, RulesLine};
use tempfile::TempDir;

fn rules(name: &str, seats: usize) -> RulesLine {
    let digest = Digest::hash(name.as_bytes());
    RulesLine {
        id: RulesId { carrier: CustomRulesKind::Program, protocol: PROTOCOL, digest },
        seats,
    }
}

fn line(rules: RulesLine, reason: &str) -> LeagueLine {
    LeagueLine::Rules(RulesChange { rules, reason: reason.to_owned() })
}

fn league(game: &str, rules: Option<RulesLine>) -> League {
    let version = "0.1.0".to_owned();
    let founding = LeagueHeader { format: FORMAT, version, game: game.to_owned(), rules, seats: 2 };
    League::begin(LeagueLine::League(founding), Digest::hash(b"first")).expect("a league")
}

#[test]
fn each_round_has_the_rules_of_the_line_before() {
    let mut league = league("leduc", Some(rules("first", 2)));
    let names = ["second", "first", "third"];
    for name in names {
        league.take(line(rules(name, 2), "why"), Digest::hash(name.as_bytes())).expect("it fits");
        assert_eq!(league.kind().rules_id(), Some(rules(name, 2).id));
    }
    assert_eq!(league.first_rules(), Some(rules("first", 2).id));
    let later: Vec<Digest> =
        league.later_rules().iter().map(|later| later.new.rules.id.digest).collect();
    assert_eq!(later, names.map(|name| Digest::hash(name.as_bytes())));
}

#[test]
fn rules_that_the_game_cannot_have_do_not_fit() {
    let long = "é".repeat(LONGEST_REASON);
    let protocol = RulesLine {
        id: RulesId { protocol: PROTOCOL + 1, ..rules("other", 2).id },
        ..rules("other", 2)
    };
    let table = [
        (line(rules("first", 2), "why"), Err("the previous line has the same rules")),
        (line(rules("other", 3), "why"), Err("they are for 3 seats, expected 2")),
        (line(rules("other", 2), ""), Err("their reason has 0 characters, expected 1 to 500")),
        (line(rules("other", 2), &format!("{long}e")), Err("their reason has 501 characters")),
        (line(protocol, "why"), Err("rules of protocol 1")),
        (line(rules("other", 2), &long), Ok(())),
    ];
    for (line, expected) in table {
        let mut league = league("leduc", Some(rules("first", 2)));
        let before = league.clone();
        let found = league.take(line.clone(), Digest::hash(b"next"));
        match (found, expected) {
            (Ok(()), Ok(())) => {}
            (Err(told), Err(expected)) => {
                assert!(told.starts_with("has invalid rules: "), "{told}");
                assert!(told.contains(expected), "{told}");
                assert_eq!(league, before);
            }
            (found, _) => panic!("{line:?}: {found:?}"),
        }
    }
    let mut league = league("coup", None);
    let found = league.take(line(rules("other", 2), "why"), Digest::hash(b"next"));
    let told = found.expect_err("they are built in");
    assert_eq!(told, "has invalid rules: the rules of coup are built in");
}

#[test]
fn the_line_of_new_rules_is_written_as_it_is_read() {
    let line = line(rules("other", 2), "a \"reason\"");
    let text = serde_json::to_string(&line).expect("JSON");
    let digest = Digest::hash(b"other");
    let expected = format!(
        "{{\"rules\":{{\"rules\":{{\"carrier\":\"program\",\"protocol\":1,\"digest\":\"{digest}\",\"seats\":2}},\
         \"reason\":\"a \\\"reason\\\"\"}}}}"
    );
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<LeagueLine>(&text).expect("a line"), line);
}

/// Rules that only say what game they are for.
struct Described;

impl RulesSource for Described {
    fn start(&self) -> Result<Box<dyn RulesInstance>, NoAnswer> {
        Ok(Box::new(Described))
    }
}

impl RulesInstance for Described {
    fn call(&mut self, _call: &str) -> Result<String, NoAnswer> {
        let about = "rules 1\nname described\ntitle Described\nabout a game\nseats 2\nhelp None.\n";
        Ok(about.to_owned())
    }
}

/// A server played test games by the old rules for as long as nobody edited `league.toml`.
#[test]
fn new_rules_hold_for_settings_that_stay() {
    let names = ["first", "second", "third"];
    for name in names {
        let opened = CustomGame::open(rules(name, 2).id, Box::new(Described));
        opened.expect("a game").into_kind().make_known();
    }
    let [first, second, third] = names.map(|name| rules(name, 2));
    let place = TempDir::new().expect("a folder");
    let path = place.path().join("class");
    let founding = LeagueHeader {
        format: FORMAT,
        version: "0.1.0".to_owned(),
        game: "described".to_owned(),
        rules: Some(first),
        seats: 2,
    };
    let text = "game = 'described'\nisolation = 'off'\n";
    let folder = LeagueFolder::create(&path, text, founding, None).expect("a new league");
    let settings = LastSettings::new(folder.clone());
    let played = || {
        let (terms, mistake) = settings.terms().expect("settings");
        (terms.settings.kind.rules_id(), mistake.map(|it| it.to_string()))
    };
    let change = |rules: RulesLine| {
        folder.append(|_| Ok::<_, LeagueError>(vec![line(rules, "why")])).expect("it fits")
    };
    assert_eq!(played(), (Some(first.id), None));
    change(second);
    assert_eq!(played(), (Some(second.id), None));
    // Also beside a mistake, which is told each time until it is mended.
    let file = path.join("league.toml");
    fs::write(&file, format!("{text}gmae = 1\n")).expect("room");
    change(third);
    for _ in 0..2 {
        let (rules, mistake) = played();
        assert_eq!(rules, Some(third.id));
        let mistake = mistake.expect("a mistake");
        assert!(mistake.contains("gmae"), "{mistake}");
    }
    fs::write(&file, text).expect("room");
    assert_eq!(played(), (Some(third.id), None));
}

/// A download during a freeze had the rules of rounds that it does not show.
#[test]
fn rules_from_after_the_freeze_are_not_published() {
    let [first, second, third] = ["first", "second", "third"].map(|name| rules(name, 2));
    let place = TempDir::new().expect("a folder");
    let path = place.path().join("class");
    let founding = LeagueHeader {
        format: FORMAT,
        version: "0.1.0".to_owned(),
        game: "described".to_owned(),
        rules: Some(first),
        seats: 2,
    };
    let text = "game = 'described'\nisolation = 'off'\n";
    let folder = LeagueFolder::create(&path, text, founding, None).expect("a new league");
    let change = |rules: RulesLine| {
        let copy = path.join("rules").join(rules.id.digest.to_string());
        fs::create_dir_all(&copy).expect("it is ours");
        fs::write(copy.join("rules.sh"), "").expect("it is ours");
        folder.append(|_| Ok::<_, LeagueError>(vec![line(rules, "why")])).expect("it fits")
    };
    change(second);
    let freeze = "[calendar]\nfreeze = 2020-01-01T00:00:00Z\n";
    fs::write(path.join("league.toml"), format!("{text}{freeze}")).expect("it is ours");
    change(third);
    let open = place.path().join("open");
    PublicLeague::find(&folder).expect("a league").write(&open).expect("room");
    let copies = fs::read_dir(open.join("rules")).expect("a folder").flatten();
    let copies: Vec<String> =
        copies.map(|copy| copy.file_name().to_string_lossy().into_owned()).collect();
    assert_eq!(copies, [second.id.digest.to_string()]);
}
