//! Possible names of a bot or of a person: the one place that decides.
//!
//! A name appears in tables, pages, logs, shells and file names, and its bearer chose it. So it has
//! letters and digits of any script, and nothing that is invisible, changes the direction of the
//! text around it, or has a meaning elsewhere. Among equivalent spellings it has that of Unicode's
//! form NFC.
//!
//! Two names look alike if their skeletons by Unicode's report 39 are the same: as they are written, in small letters,
//! or with the letters of ASCII in them left alone, so that `Ian` and `lan` look alike, and `Ian` and `Lan` do not.

use std::collections::BTreeMap;

use rules::built_in;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfkc};
use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;

/// The longest name, in characters.
const LONGEST_NAME: usize = 32;

/// The most marks on one letter.
const MOST_MARKS: usize = 2;

/// The expectation in an error about the name of a bot.
pub const EXPECTED_NAME: &str = "use 1 to 32 letters, digits or . _ - (not starting with -, not \
     ending with ., not a device name such as NUL)";

/// The expectation in an error about the name of a person.
pub const EXPECTED_PERSON: &str = "use 1 to 32 letters, digits or . _ - ' and single spaces (not \
     starting with -, not ending with ., not a device name such as NUL)";

/// The name of a bot that a text gives, in its one spelling, if it is one.
///
/// It has neither blanks nor quotes, which end it in `NAME=COMMAND`.
pub fn name(text: &str) -> Option<String> {
    let name: String = text.nfc().take(LONGEST_NAME + 1).collect();
    is_name(&name).then_some(name)
}

/// The name of a person that a text gives, in its one spelling, if it is one.
pub fn person_name(text: &str) -> Option<String> {
    let name: String = text.nfc().take(LONGEST_NAME + 1).collect();
    is_person_name(&name).then_some(name)
}

/// A text in the one spelling that every name has, to be compared with names.
pub fn spelt_as_names(text: &str) -> String {
    text.nfc().collect()
}

/// Returns true if this is the name of a bot, in its one spelling.
pub fn is_name(name: &str) -> bool {
    is_plain(name, |c| matches!(c, '.' | '_' | '-'))
}

/// Returns true if this is the name of a person, in its one spelling: it may have blanks between its words,
/// and apostrophes.
pub fn is_person_name(name: &str) -> bool {
    let blanks = name.starts_with(' ') || name.ends_with(' ') || name.contains("  ");
    !blanks && is_plain(name, |c| matches!(c, '.' | '_' | '-' | '\'' | '’' | ' '))
}

/// Returns true if this can be the name of a player in a match: a bot's, perhaps with `#2` and so on, or in a
/// league with the number of its version, as in `anna@1`.
pub fn is_player_name(name: &str) -> bool {
    match (name.split_once('#'), name.split_once('@')) {
        (Some((name, number)), _) => is_name(name) && is_number(number, 2),
        (None, Some((name, version))) => is_name(name) && is_number(version, 1),
        (None, None) => is_name(name),
    }
}

/// Returns true if people would take two names for one.
pub fn is_same_name(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

/// A name without its letter case, in any script. Some small letters have the same capital, as both
/// forms of the Greek sigma have, so capitals come first.
pub(super) fn folded(name: &str) -> String {
    name.to_uppercase().to_lowercase()
}

/// Returns true if this is a number that is not below the least, in its one spelling.
fn is_number(text: &str, least: u32) -> bool {
    text.parse::<u32>().is_ok_and(|number| number >= least && number.to_string() == text)
}

/// Returns true if a text has letters, digits and these signs, is in its one spelling, and is safe as an
/// argument and as the name of a file on every system.
fn is_plain(name: &str, is_sign: impl Fn(char) -> bool) -> bool {
    (1..=LONGEST_NAME).contains(&name.chars().count())
        && is_nfc(name)
        && !name.starts_with(['-', '\'', '’'])
        && !name.ends_with('.')
        && !is_device(name)
        && has_letters(name, is_sign)
}

/// Returns true if there are only letters, each with few marks, digits and these signs.
fn has_letters(name: &str, is_sign: impl Fn(char) -> bool) -> bool {
    // Marks that may follow here: none at the beginning and after a sign.
    let mut room = 0;
    name.chars().all(|c| {
        if is_combining_mark(c) {
            let fits = room > 0 && !is_unseen(c);
            room = usize::saturating_sub(room, 1);
            return fits;
        }
        room = if c.is_alphanumeric() { MOST_MARKS } else { 0 };
        (c.is_alphanumeric() && !is_unseen(c)) || is_sign(c)
    })
}

/// Letters and marks that Unicode calls ignorable, since nothing is seen of them.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Returns true if Windows takes a file of this name for a device, with or without an extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_uppercase();
    let is_numbered = |kind: &str| {
        let number = stem.strip_prefix(kind);
        number.is_some_and(|it| it.len() == 1 && it.bytes().all(|digit| digit.is_ascii_digit()))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL")
        || ["COM", "LPT"].map(is_numbered).contains(&true)
}

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
pub fn letter_problem(name: &str) -> Option<&'static str> {
    match () {
        () if !is_nfkc(name) => {
            Some("has special forms of letters or digits, such as full-width ones: use plain ones")
        }
        () if !name.is_single_script() => Some("mixes alphabets: use letters from only one"),
        () => None,
    }
}

/// Returns true for a name, or one that looks like it, of a built-in bot, of an organiser, or of a word that stands for no one.
pub fn is_reserved(name: &str) -> bool {
    ConfusableNames::new(built_in::NAMES.into_iter().chain(RESERVED)).of_name(name).is_some()
}

/// Returns true if people would take two names for one, because they look alike or differ in letter case alone.
pub fn looks_like(one: &str, other: &str) -> bool {
    ConfusableNames::new([one]).of_name(other).is_some()
}

/// Names by what they look like, each with the number of names that were added before it; and the number of all.
#[derive(Debug, Clone, Default)]
pub struct ConfusableNames(BTreeMap<NameForm, (String, usize)>, usize);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum NameForm {
    Written(String),
    Small(String),
    Plain(String),
}

impl ConfusableNames {
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> ConfusableNames {
        let mut all = ConfusableNames::default();
        names.into_iter().for_each(|name| all.add(name));
        all
    }

    pub fn add(&mut self, name: &str) {
        for look in looks(name) {
            let number = self.1;
            self.0.entry(look).or_insert_with(|| (name.to_owned(), number));
        }
        self.1 += 1;
    }

    /// Returns a name that looks like this one, which may be the name itself.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        looks(name).iter().find_map(|look| self.0.get(look)).map(|(name, _)| name.as_str())
    }

    /// Returns the number of the first name that looks like this one, in the order in which they were added, from 0.
    pub fn first_alike(&self, name: &str) -> Option<usize> {
        looks(name).iter().filter_map(|look| self.0.get(look)).map(|(_, number)| *number).min()
    }
}

fn looks(name: &str) -> [NameForm; 3] {
    let plain: String = name
        .chars()
        .flat_map(|letter| match letter.is_ascii() {
            true => vec![letter],
            false => skeleton(letter.encode_utf8(&mut [0; 4])).collect(),
        })
        .collect();
    [
        NameForm::Written(skeleton(name).collect()),
        NameForm::Small(folded(&skeleton(&folded(name)).collect::<String>())),
        NameForm::Plain(folded(&plain)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_script_are_a_name_and_what_is_not_seen_is_none() {
        for text in
            ["Žarko", "李雷", "Иван", "ידע", "हिन्दी", "ไก่", "Ǿ", "a1٣", "x-y_z.w", "_", "..a"]
        {
            assert_eq!(name(text).as_deref(), Some(text), "{text}");
        }
        let others = [
            "<b>a</b>",
            "a&b",
            "../a",
            "/a",
            "..\\a",
            "a#2",
            "a:b",
            "a;b",
            "a*",
            "=a",
            "`a`",
            "$a",
            ".",
            "...",
            "-",
            "--help",
            "/",
            "a ",
            "a\t",
            "a\nb",
            "a\x1b[2J",
            "a/../b",
            "NUL",
            "nul.txt",
            "Con",
            "aux",
            "COM1",
            "COM3.log",
            "lpt9.a.b",
            "a\u{301}\u{302}\u{303}\u{304}\u{305}",
            "",
            "-a",
            "a.",
            "..",
            "nul",
            "COM1.x",
            "a b",
            "O'Neil",
            "a/b",
            "a\\b",
            "a=b",
            "a,b",
            "a|b",
            "<b>",
            "@a",
            "+1",
            "a\u{200b}b",
            "a\u{200d}b",
            "a\u{202e}b",
            "a\u{2066}b",
            "\u{301}a",
            "a\u{ad}b",
            "\u{3164}",
            "a\u{fe0f}",
            "🎲",
            "a\u{7f}",
            "a\u{85}",
            "\u{feff}a",
            "a\u{a0}b",
            "x\u{330}\u{331}\u{332}",
            "½\u{2044}",
            "€",
        ];
        for text in others {
            assert_eq!(name(text), None, "{text:?}");
        }
        assert_eq!(name(&"李".repeat(32)).map(|name| name.len()), Some(96));
        assert_eq!(name(&"李".repeat(33)), None);
        assert_eq!(name(&"\u{301}".repeat(1_000_000)), None);
    }

    #[test]
    fn spellings_that_look_the_same_are_one_name() {
        assert_eq!(name("Z\u{30c}arko").as_deref(), Some("\u{17d}arko"));
        assert!(!is_name("Z\u{30c}arko"), "not its one spelling");
        assert_eq!(name("\u{212b}"), name("A\u{30a}"));
    }

    #[test]
    fn numbers_of_players_have_one_spelling_and_no_small_end() {
        for text in ["a", "a#2", "a#10", "a#256", "a#4294967295"] {
            assert!(is_player_name(text), "{text}");
        }
        for text in
            ["a#", "a#0", "a#1", "a#02", "a#+2", "a#-2", "a# 2", "a#2#3", "#2", "a#4294967296"]
        {
            assert!(!is_player_name(text), "{text}");
        }
    }

    #[test]
    fn people_have_blanks_and_apostrophes() {
        for text in ["Conan O'Neil", "D’Artagnan", "李 雷", "J. R. Hartley", "Ana"] {
            assert_eq!(person_name(text).as_deref(), Some(text), "{text}");
        }
        for text in [
            "",
            " ",
            " a",
            "a ",
            "a  b",
            "'a",
            "a\tb",
            "a\u{a0}b",
            "a\u{2003}b",
            "-a",
            "NUL",
            "=1",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
        ] {
            assert_eq!(person_name(text), None, "{text:?}");
        }
    }

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
        let all = ConfusableNames::new(["ben", "anna"]);
        assert_eq!(all.of_name("аnna"), Some("anna"));
        assert_eq!(all.of_name("carl"), None);
        // The first one, also where a later one is the name itself.
        let all = ConfusableNames::new(["carl", "Anna", "ben", "anna", "anna"]);
        let first = ["anna", "аnna", "ben", "dora"].map(|name| all.first_alike(name));
        assert_eq!(first, [Some(1), Some(1), Some(2), None]);
    }

    #[test]
    fn a_new_name_is_of_one_script_and_in_plain_letters() {
        for name in
            ["Žarko", "李雷", "Иван", "ידע", "हिन्दी", "ไก่", "たろう太郎", "김철수", "a-1_b.c"]
        {
            assert_eq!(letter_problem(name), None, "{name}");
        }
        for name in ["аnna", "annа", "Ивaн", "李lei", "αnna"] {
            assert!(letter_problem(name).is_some_and(|it| it.contains("alphabets")), "{name}");
        }
        for name in ["ａnna", "𝐚nna", "anna²", "ﬁn", "１２"] {
            assert!(letter_problem(name).is_some_and(|it| it.contains("special forms")), "{name}");
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
