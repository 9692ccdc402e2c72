//! Limits as they are asked for: for every bot, for a runtime or a group of bots, or for the one with a name.
//!
//! The runtime of a bot is the interpreter that its command starts. It is not what a bot says of itself: a
//! stranger could then have the time of a slow language for a fast one.

use std::collections::BTreeMap;
use std::path::Path;

use text::{printable, shell};

use crate::launch_target;
use crate::name::{is_name, spelt_as_names};
use crate::spec::BotSpec;
use sandbox::{LimitAmount, LimitKind, LimitTexts, Limits};
use text::failure::Failure;

/// The name of the limit on each answer.
const TIME: &str = "time-limit";

/// A limit for every bot, or for those of a name: `[NAME=]VALUE`.
#[derive(Debug, Clone)]
pub struct LimitSpec {
    to: Option<String>,
    kind: &'static LimitKind,
    amount: LimitAmount,
}

impl LimitSpec {
    /// Reads `[NAME=]VALUE`.
    pub fn read(kind: &'static LimitKind, text: &str) -> Result<LimitSpec, String> {
        let (to, value) = match text.split_once('=') {
            Some(("", _)) => return Err("missing bot name or runtime before `=`".to_owned()),
            Some((name, value)) => (Some(spelt_as_names(name)), value),
            None => (None, text),
        };
        Ok(LimitSpec { to, kind, amount: kind.read(value)? })
    }

    /// Reads limits that are for every bot, or for those of a name.
    ///
    /// # Errors
    ///
    /// The name of the first bad limit, and the problem with its value.
    pub fn read_all(
        to: Option<&str>,
        texts: &LimitTexts,
    ) -> Result<Vec<LimitSpec>, (&'static str, String)> {
        let read = |(kind, text): (&'static LimitKind, &String)| match kind.read(text) {
            Ok(amount) => Ok(LimitSpec { to: to.map(spelt_as_names), kind, amount }),
            Err(problem) => Err((kind.name, problem)),
        };
        texts.iter().map(read).collect()
    }
}

/// All limits that were asked for, and the groups of bots for which some are.
#[derive(Debug, Clone, Default)]
pub struct LimitSpecs {
    asked: Vec<LimitSpec>,
    groups: BTreeMap<String, Vec<String>>,
}

impl LimitSpecs {
    /// These limits, with groups of bots: a name for each, and its members, which are names of bots or runtimes.
    ///
    /// # Errors
    ///
    /// Says which name cannot be one of a group.
    pub fn with_groups(self, named: &BTreeMap<String, Vec<String>>) -> Result<LimitSpecs, String> {
        let mut groups = BTreeMap::new();
        for (name, members) in named {
            let group = spelt_as_names(name);
            if launch_target::kind_named(name).is_some() {
                return Err(format!("group name `{name}` is a runtime: choose another name"));
            }
            if !is_name(&group) {
                let name = printable(name);
                return Err(format!("invalid group name `{name}`: the rules for bot names apply"));
            }
            groups.insert(group, members.iter().map(|member| spelt_as_names(member)).collect());
        }
        Ok(LimitSpecs { groups, ..self })
    }

    /// The limits of a bot under a name: those asked for it, or else for a group of it, for its runtime, or
    /// for all, or else the defaults. Of two of the same rank the later one counts.
    pub fn for_bot(&self, name: &str, bot: &BotSpec) -> Limits {
        self.apply(Limits::DEFAULT, name, bot, &[])
    }

    /// Replaces these limits of a bot by those asked for it, and all of them by its own ones.
    pub fn apply(&self, limits: Limits, name: &str, bot: &BotSpec, own: &[LimitSpec]) -> Limits {
        let rank = |asked: &'_ LimitSpec| match &asked.to {
            None => Some(0),
            Some(to) => self.rank(to, name, bot.kind()),
        };
        let ranked = self.asked.iter().filter_map(|asked| Some((rank(asked)?, asked)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        changed(limits, ranked.into_iter().map(|(_, asked)| asked).chain(own))
    }

    /// How closely a name fits a bot, if it does: as its runtime, as a group of it, or as its own name.
    fn rank(&self, to: &str, name: &str, kind: Option<&str>) -> Option<u8> {
        match self.groups.get(to) {
            Some(members) => members.iter().any(|it| is_for(it, name, kind)).then_some(2),
            None if !is_for(to, name, kind) => None,
            None if launch_target::kind_named(to).is_some() => Some(1),
            None => Some(3),
        }
    }

    pub fn for_all(&self) -> Limits {
        changed(Limits::DEFAULT, self.asked.iter().filter(|asked| asked.to.is_none()))
    }

    /// The limits that are for the bots of a name, by it.
    pub fn named(&self) -> BTreeMap<String, LimitTexts> {
        let mut all: BTreeMap<&String, BTreeMap<&str, String>> = BTreeMap::new();
        for LimitSpec { to, kind, amount } in &self.asked {
            if let Some(to) = to {
                all.entry(to).or_default().insert(kind.name, amount.to_string());
            }
        }
        let limits =
            |texts: &BTreeMap<&str, String>| LimitTexts::new(|kind| texts.get(kind.name).cloned());
        all.iter().map(|(name, texts)| ((*name).clone(), limits(texts))).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The options that ask for them, each as words for a shell.
    pub fn options(&self) -> Vec<String> {
        let option = |LimitSpec { to, kind, amount }: &LimitSpec| {
            let to = to.as_ref().map(|to| format!("{to}=")).unwrap_or_default();
            format!("--{} {}", kind.name, shell::word(Path::new(&format!("{to}{amount}"))))
        };
        self.asked.iter().map(option).collect()
    }

    /// Checks that every bot that is named is there, and that no bot has the name of a kind or a group that
    /// is named.
    pub fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        for name in self.asked.iter().filter_map(|asked| asked.to.as_ref()) {
            let is_bot = names.contains(name);
            let other = match launch_target::kind_named(name) {
                Some(_) => Some("a runtime"),
                None => self.groups.contains_key(name).then_some("a group"),
            };
            match other {
                Some(other) if is_bot => {
                    return Err(Failure::Usage(format!(
                        "ambiguous limit `{name}`: it is both a bot and {other}; rename the bot"
                    )));
                }
                None if !is_bot && names.is_empty() => {
                    return Err(Failure::Usage(format!(
                        "limit for unknown runtime `{name}`: use one such as java or python"
                    )));
                }
                None if !is_bot => {
                    return Err(Failure::Usage(format!(
                        "limit for unknown bot `{name}`: use one of {}, or a runtime such as java",
                        names.join(", ")
                    )));
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }
}

impl FromIterator<LimitSpec> for LimitSpecs {
    fn from_iter<I: IntoIterator<Item = LimitSpec>>(asked: I) -> Self {
        LimitSpecs { asked: asked.into_iter().collect(), groups: BTreeMap::new() }
    }
}

/// Returns true if a name means the bot of this name and runtime. The name of a runtime means no bot that has it,
/// too: bots of strangers choose their names.
fn is_for(to: &str, name: &str, kind: Option<&str>) -> bool {
    match launch_target::kind_named(to) {
        Some(meant) => kind == Some(meant),
        None => to == name,
    }
}

/// These limits, changed by those that are given, of which the last one of a kind counts.
///
/// A time for a game without a limit on each answer leaves as much to each as the game has at its start.
fn changed<'a>(limits: Limits, given: impl Iterator<Item = &'a LimitSpec>) -> Limits {
    let mut has_own_time = false;
    let mut game_time = None;
    let changed = given.fold(limits, |limits, LimitSpec { kind, amount, .. }| {
        has_own_time |= kind.name == TIME;
        if let LimitAmount::Game(time) = amount {
            game_time = Some(*time);
        }
        kind.changed(limits, *amount)
    });
    match game_time {
        Some(time) if !has_own_time => Limits { time: time.bank(), ..changed },
        Some(_) | None => changed,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use sandbox::LIMITS;

    fn limits(texts: &[&str]) -> LimitSpecs {
        let time = LIMITS.iter().find(|kind| kind.name == "time-limit").unwrap();
        texts.iter().map(|text| LimitSpec::read(time, text).unwrap()).collect()
    }

    fn bot(command: &str) -> BotSpec {
        command.parse().unwrap()
    }

    #[test]
    fn what_is_asked_for_one_goes_before_what_is_asked_for_all() {
        let asked = limits(&["slow=9s", "2s", "3s"]);
        assert_eq!(asked.for_bot("slow", &bot("x")).time, Duration::from_secs(9));
        assert_eq!(asked.for_bot("other", &bot("x")).time, Duration::from_secs(3));
        assert_eq!(limits(&[]).for_bot("other", &bot("x")), Limits::DEFAULT);
    }

    #[test]
    fn a_name_goes_before_a_group_a_group_before_a_kind_and_a_kind_before_all() {
        let groups = [("big", &["java", "mine"][..]), ("small", &["tiny"][..])];
        let groups = groups.map(|(name, members)| {
            (name.to_owned(), members.iter().map(ToString::to_string).collect())
        });
        let texts = ["tiny=1s", "big=4s", "java=3s", "python=5s", "small=6s", "2s"];
        let asked = limits(&texts).with_groups(&groups.into()).expect("groups");
        let cases = [
            ("tiny", "java Main", 1),
            ("other", "java Main", 4),
            ("mine", "./mine", 4),
            ("other", "python3 x.py", 5),
            ("other", "./other", 2),
        ];
        for (name, command, seconds) in cases {
            let time = asked.for_bot(name, &bot(command)).time;
            assert_eq!(time, Duration::from_secs(seconds), "{name}: {command}");
        }
    }

    #[test]
    fn a_bot_with_the_name_of_a_kind_cannot_be_limited_by_it() {
        let (java, mine) = (["java".to_owned()], ["mine".to_owned()]);
        assert!(limits(&["java=1s"]).check_names(&mine).is_ok());
        assert!(limits(&["java=1s"]).check_names(&[]).is_ok());
        assert!(limits(&["1s"]).check_names(&java).is_ok());
        let refused = limits(&["java=1s"]).check_names(&java).unwrap_err().to_string();
        assert!(refused.contains("it is both a bot and a runtime"), "{refused}");
        // One that calls itself so has no more time.
        let time = limits(&["java=9s"]).for_bot("java", &bot("./java")).time;
        assert_eq!(time, Limits::DEFAULT.time);
    }

    #[test]
    fn a_time_for_a_game_replaces_the_usual_time_for_an_answer() {
        let clock = LIMITS.iter().find(|kind| kind.name == "game-time").unwrap();
        let clock = LimitSpec::read(clock, "60s+500ms").unwrap();
        let with = |texts: &[&str]| {
            let asked: LimitSpecs =
                limits(texts).asked.into_iter().chain([clock.clone()]).collect();
            asked.for_bot("any", &bot("x")).time
        };
        assert_eq!(with(&[]), Duration::from_secs(60));
        assert_eq!(with(&["7s"]), Duration::from_secs(7));
        assert_eq!(with(&["other=7s"]), Duration::from_secs(60));
    }

    #[test]
    fn the_options_that_ask_for_limits_are_read_as_the_same_limits() {
        for texts in [&["slow=90s", "2s", "slow=1500ms"][..], &[]] {
            let words = limits(texts).options().join(" ");
            let words = shlex::split(&words).expect("words of a shell");
            assert!(words.iter().step_by(2).all(|word| word == "--time-limit"), "{words:?}");
            let values: Vec<&str> = words.iter().skip(1).step_by(2).map(String::as_str).collect();
            for name in ["slow", "other"] {
                let bot = bot("x");
                assert_eq!(limits(&values).for_bot(name, &bot), limits(texts).for_bot(name, &bot));
            }
        }
    }

    #[test]
    fn a_limit_for_nobody_is_refused() {
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(limits(&["a=1s", "1s"]).check_names(&names).is_ok());
        let refused = limits(&["c=1s"]).check_names(&names).unwrap_err().to_string();
        let expected = "limit for unknown bot `c`: use one of a, b, or a runtime such as java";
        assert_eq!(refused, expected);
    }
}
