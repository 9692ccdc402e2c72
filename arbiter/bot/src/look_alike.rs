//! Names that people would take for other ones: the rules for a name that somebody chooses now. Names that are there
//! already stay, whatever they look like.
//!
//! Two names look alike if their skeletons by Unicode's report 39 are the same: as they are written, in small letters,
//! or with the letters of ASCII in them left alone, so that `Ian` and `lan` look alike, and `Ian` and `Lan` do not.

use std::collections::BTreeMap;

use rules::built_in;
use unicode_normalization::is_nfkc;
use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;

use crate::name::folded;

/// Names of organisers, and words that stand for no one.
const RESERVED: [&str; 33] = [
    "admin",
    "administrator",
    "all",
    "anonymous",
    "api",
    "arbiter",
    "bye",
    "everybody",
    "everyone",
    "guest",
    "host",
    "judge",
    "league",
    "moderator",
    "nobody",
    "none",
    "null",
    "official",
    "operator",
    "organiser",
    "organisers",
    "organizer",
    "organizers",
    "owner",
    "referee",
    "root",
    "server",
    "staff",
    "support",
    "sysadmin",
    "system",
    "undefined",
    "webmaster",
];

/// Returns what is wrong with the letters of a new name, if anything is.
pub fn unclear(name: &str) -> Option<&'static str> {
    match () {
        () if !is_nfkc(name) => Some("has letters or digits in a special form: write plain ones"),
        () if !name.is_single_script() => Some("mixes scripts: use the letters of one"),
        () => None,
    }
}

/// Returns true for a name, or one that looks like it, of a built-in bot, of an organiser, or of a word that stands for no one.
pub fn is_reserved(name: &str) -> bool {
    LookAlikes::among(built_in::NAMES.into_iter().chain(RESERVED)).of_name(name).is_some()
}

/// Returns true if people would take two names for one, because they look alike or differ in letter case alone.
pub fn looks_like(one: &str, other: &str) -> bool {
    LookAlikes::among([one]).of_name(other).is_some()
}

/// Names by what they look like.
#[derive(Debug, Clone, Default)]
pub struct LookAlikes(BTreeMap<NameLook, NumberedName>, usize);

/// A name, with the number of names that were added before it.
#[derive(Debug, Clone)]
struct NumberedName {
    name: String,
    number: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NameLook {
    Written(String),
    Small(String),
    Plain(String),
}

impl LookAlikes {
    /// Collects names.
    pub fn among<'a>(names: impl IntoIterator<Item = &'a str>) -> LookAlikes {
        let mut all = LookAlikes::default();
        names.into_iter().for_each(|name| all.add(name));
        all
    }

    pub fn add(&mut self, name: &str) {
        for look in looks(name) {
            let number = self.1;
            self.0.entry(look).or_insert_with(|| NumberedName { name: name.to_owned(), number });
        }
        self.1 += 1;
    }

    /// Returns a name that looks like this one, which may be the name itself.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        looks(name).iter().find_map(|look| self.0.get(look)).map(|place| place.name.as_str())
    }

    /// Returns the number of the first name that looks like this one, in the order in which they were added, from 0.
    pub fn first(&self, name: &str) -> Option<usize> {
        looks(name).iter().filter_map(|look| self.0.get(look)).map(|place| place.number).min()
    }
}

fn looks(name: &str) -> [NameLook; 3] {
    let plain: String = name
        .chars()
        .flat_map(|letter| match letter.is_ascii() {
            true => vec![letter],
            false => skeleton(letter.encode_utf8(&mut [0; 4])).collect(),
        })
        .collect();
    [
        NameLook::Written(skeleton(name).collect()),
        NameLook::Small(folded(&skeleton(&folded(name)).collect::<String>())),
        NameLook::Plain(folded(&plain)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_alike_are_found() {
        for (one, other) in [
            ("anna", "Anna"),
            ("anna", "аnna"),
            ("anna", "аnnа"),
            ("bob", "bоb"),
            ("greedy", "grееdy"),
            ("anna", "𝐚nna"),
            ("anna", "ａnna"),
            ("anna", "ΑΝΝΑ"),
            ("anna", "ɑnna"),
            ("caca", "саса"),
            ("Bill", "BiII"),
            ("Ian", "lan"),
            ("bot1", "botl"),
            ("barn", "bam"),
            ("Žarko", "žarko"),
            ("x-y", "x‐y"),
        ] {
            assert!(looks_like(one, other) && looks_like(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("anna", "ana"),
            ("Ian", "Lan"),
            ("anna", "anna2"),
            ("ana", "aná"),
            ("Иван", "Иво"),
            ("李雷", "李蕾"),
            ("team1", "team2"),
            ("team1", "team11"),
        ] {
            assert!(!looks_like(one, other) && !looks_like(other, one), "{one} {other}");
        }
        let all = LookAlikes::among(["ben", "anna"]);
        assert_eq!(all.of_name("аnna"), Some("anna"));
        assert_eq!(all.of_name("carl"), None);
        // The first one, also where a later one is the name itself.
        let all = LookAlikes::among(["carl", "Anna", "ben", "anna", "anna"]);
        let first = ["anna", "аnna", "ben", "dora"].map(|name| all.first(name));
        assert_eq!(first, [Some(1), Some(1), Some(2), None]);
    }

    #[test]
    fn a_new_name_is_of_one_script_and_in_plain_letters() {
        for name in
            ["Žarko", "李雷", "Иван", "ידע", "हिन्दी", "ไก่", "たろう太郎", "김철수", "a-1_b.c"]
        {
            assert_eq!(unclear(name), None, "{name}");
        }
        for name in ["аnna", "annа", "Ивaн", "李lei", "αnna"] {
            assert!(unclear(name).is_some_and(|it| it.contains("scripts")), "{name}");
        }
        for name in ["ａnna", "𝐚nna", "anna²", "ﬁn", "１２"] {
            assert!(unclear(name).is_some_and(|it| it.contains("special form")), "{name}");
        }
    }

    #[test]
    fn names_of_those_who_run_a_contest_and_of_built_in_bots_are_reserved() {
        for name in [
            "admin",
            "Admin",
            "ADMIN",
            "аdmin",
            "organiser",
            "0rganiser",
            "greedy",
            "grееdy",
            "expert",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["anna", "adminton", "greedy2", "李雷", "root-beer"] {
            assert!(!is_reserved(name), "{name}");
        }
    }
}
