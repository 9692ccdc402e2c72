//! Limits as they are asked for: for every bot, for a kind or a group of bots, or for the one with a name.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use text::shell;

use crate::groups::{Groups, Named, Rank};
use crate::spec::BotSpec;
use sandbox::{Amount, GameTime, LimitKind, Limits, Unit};
use text::failure::Failure;

/// The name of the limit on each answer.
const TIME: &str = "time-limit";

/// One limit that differs from its default.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    kind: &'static LimitKind,
    amount: Amount,
}

impl Limit {
    /// Reads the value of a limit, as on the command line and in a plan.
    pub fn read(kind: &'static LimitKind, text: &str) -> Result<Limit, String> {
        let amount = match kind.unit {
            Unit::Duration => Amount::Duration(duration(text)?),
            Unit::GameTime => Amount::Game(game_time(text)?),
            Unit::Size { least, most } => Amount::Number(size(text, least, most)?),
            Unit::Count { least, most } => Amount::Number(count(text, least, most)?),
        };
        Ok(Limit { kind, amount })
    }

    /// These limits, changed by those that are given, of which the last one of a kind counts.
    ///
    /// A time for a game without a limit on each answer leaves as much to each as the game has at its start.
    pub fn all_over(limits: Limits, given: impl Iterator<Item = Limit>) -> Limits {
        let mut has_own_time = false;
        let mut game_time = None;
        let changed = given.fold(limits, |limits, Limit { kind, amount }| {
            has_own_time |= kind.name == TIME;
            if let Amount::Game(time) = amount {
                game_time = Some(time);
            }
            kind.changed(limits, amount)
        });
        match game_time {
            Some(time) if !has_own_time => Limits { time: time.bank(), ..changed },
            Some(_) | None => changed,
        }
    }
}

/// A limit for every bot, or for those of a name: `[NAME=]VALUE`.
#[derive(Debug, Clone)]
pub struct AskedLimit {
    to: Option<Named>,
    limit: Limit,
}

impl AskedLimit {
    /// This limit, for every bot.
    pub fn for_all(limit: Limit) -> AskedLimit {
        AskedLimit { to: None, limit }
    }

    /// This limit, for the bots of a name.
    pub fn to(name: &str, limit: Limit) -> AskedLimit {
        AskedLimit { to: Some(Named::new(name)), limit }
    }
}

/// All limits that were asked for, and the groups of bots for which some are.
#[derive(Debug, Clone, Default)]
pub struct AskedLimits {
    asked: Vec<AskedLimit>,
    groups: Groups,
}

impl AskedLimits {
    /// These limits, with groups of bots.
    pub fn with_groups(self, groups: Groups) -> AskedLimits {
        AskedLimits { groups, ..self }
    }

    /// The limits of a bot under a name: those asked for it, or else for a group of it, for its kind, or
    /// for all, or else the defaults. Of two of the same rank the later one counts.
    pub fn for_bot(&self, name: &str, bot: &BotSpec) -> Limits {
        self.over(Limits::DEFAULT, name, bot)
    }

    /// Replaces the defaults by these limits.
    pub fn over(&self, limits: Limits, name: &str, bot: &BotSpec) -> Limits {
        Limit::all_over(limits, self.given(name, bot).into_iter())
    }

    /// The limits that hold for a bot, the weakest ones first.
    pub fn given(&self, name: &str, bot: &BotSpec) -> Vec<Limit> {
        let rank = |asked: &AskedLimit| match &asked.to {
            None => Some(Rank::All),
            Some(to) => self.groups.rank(to, name, bot.kind()),
        };
        let ranked = self.asked.iter().filter_map(|asked| Some((rank(asked)?, asked.limit)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, limit)| limit).collect()
    }

    /// The limits that are for every bot.
    pub fn for_all(&self) -> Limits {
        let for_all = self.asked.iter().filter(|asked| asked.to.is_none());
        Limit::all_over(Limits::DEFAULT, for_all.map(|asked| asked.limit))
    }

    /// The limits that are for the bots of a name, as texts, by the name and the limit.
    pub fn named(&self) -> impl Iterator<Item = (&str, &'static LimitKind, String)> {
        self.asked.iter().filter_map(|AskedLimit { to, limit: Limit { kind, amount } }| {
            Some((to.as_ref()?.name(), *kind, amount.to_string()))
        })
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The options that ask for them, each as words for a shell.
    pub fn options(&self) -> Vec<String> {
        let option = |AskedLimit { to, limit: Limit { kind, amount } }: &AskedLimit| {
            let to = to.as_ref().map(|to| format!("{}=", to.name())).unwrap_or_default();
            format!("--{} {}", kind.name, shell::word(Path::new(&format!("{to}{amount}"))))
        };
        self.asked.iter().map(option).collect()
    }

    /// Checks that every bot that is named is there, and that no bot has the name of a kind or a group that
    /// is named.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], which names the first of them.
    pub fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        for to in self.asked.iter().filter_map(|asked| asked.to.as_ref()) {
            let (name, is_bot) = (to.name(), names.iter().any(|name| name == to.name()));
            let other = self.groups.other_than_bot(to);
            match other {
                Some(other) if is_bot => {
                    return Err(Failure::Usage(format!(
                        "ambiguous limit `{name}`: it is a bot and {other}; rename the bot"
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

impl FromIterator<AskedLimit> for AskedLimits {
    fn from_iter<I: IntoIterator<Item = AskedLimit>>(asked: I) -> Self {
        AskedLimits { asked: asked.into_iter().collect(), groups: Groups::default() }
    }
}

/// Reads `[NAME=]VALUE`.
pub fn asked(kind: &'static LimitKind, text: &str) -> Result<AskedLimit, String> {
    match text.split_once('=') {
        Some(("", _)) => Err("missing bot name or runtime before `=`".to_owned()),
        Some((name, value)) => Ok(AskedLimit::to(name, Limit::read(kind, value)?)),
        None => Ok(AskedLimit::for_all(Limit::read(kind, text)?)),
    }
}

/// A duration of at least a millisecond.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = "use a duration of at least 1ms, such as 500ms or 5s";
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        Ok(_) => Err(expected.to_owned()),
        Err(error) => Err(format!("{error}; {expected}")),
    }
}

/// A time for a game, such as `10s` or `10s+100ms`.
fn game_time(text: &str) -> Result<GameTime, String> {
    let expected = "use a time bank of at least 1ms, such as 60s, or with an increment, such as \
                    10s+100ms";
    let ms = |text: &str| {
        let time = humantime::parse_duration(text.trim()).map_err(|_| expected.to_owned())?;
        let whole = u64::try_from(time.as_millis()).ok();
        // Less than a millisecond would be nothing.
        let whole = whole.filter(|ms| Duration::from_millis(*ms) == time);
        whole.ok_or_else(|| expected.to_owned())
    };
    let (bank, increment) = text.split_once('+').unwrap_or((text, "0s"));
    match (ms(bank)?, ms(increment)?) {
        (0, _) => Err(expected.to_owned()),
        (bank_ms, increment_ms) => Ok(GameTime { bank_ms, increment_ms }),
    }
}

/// A size in bytes of at least `least`, and of at most `most` where that is given.
fn size(text: &str, least: u64, most: Option<u64>) -> Result<u64, String> {
    let size = ByteSize::from_str(text).ok().map(|size| size.as_u64());
    let allowed = least..=most.unwrap_or(u64::MAX);
    size.filter(|size| allowed.contains(size)).ok_or_else(|| match most {
        Some(most) => {
            format!("expected a size of {least} to {most} bytes, such as 4096 or 16KiB")
        }
        None => {
            let example = if least > 4096 { "256MiB or 1GiB" } else { "4096, 64KiB or 1GiB" };
            format!("expected a size of at least {least} bytes, such as {example}")
        }
    })
}

/// A number from `least` to `most`.
fn count(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sandbox::LIMITS;

    fn limits(texts: &[&str]) -> AskedLimits {
        let time = LIMITS.iter().find(|kind| kind.name == "time-limit").unwrap();
        texts.iter().map(|text| asked(time, text).unwrap()).collect()
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
        let groups = Groups::new(groups.into()).expect("groups");
        let texts = ["tiny=1s", "big=4s", "java=3s", "python=5s", "small=6s", "2s"];
        let asked = limits(&texts).with_groups(groups);
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
        assert!(refused.contains("it is a bot and a runtime"), "{refused}");
        // One that calls itself so has no more time.
        let time = limits(&["java=9s"]).for_bot("java", &bot("./java")).time;
        assert_eq!(time, Limits::DEFAULT.time);
    }

    #[test]
    fn a_time_for_a_game_replaces_the_usual_time_for_an_answer() {
        let clock = LIMITS.iter().find(|kind| kind.name == "game-time").unwrap();
        let clock = asked(clock, "60s+500ms").unwrap();
        let with = |texts: &[&str]| {
            let asked: AskedLimits =
                limits(texts).asked.into_iter().chain([clock.clone()]).collect();
            asked.for_bot("any", &bot("x")).time
        };
        assert_eq!(with(&[]), Duration::from_secs(60));
        assert_eq!(with(&["7s"]), Duration::from_secs(7));
        assert_eq!(with(&["other=7s"]), Duration::from_secs(60));
    }

    #[test]
    fn a_time_for_a_game_is_a_bank_and_an_increment() {
        let read = |text| game_time(text).map(|time| (time.bank_ms, time.increment_ms));
        for (text, expected) in [
            ("60s", (60_000, 0)),
            ("10s+100ms", (10_000, 100)),
            ("1m 30s + 1s", (90_000, 1000)),
            ("5s+0s", (5000, 0)),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
            let again = game_time(text).unwrap();
            assert_eq!(game_time(&again.to_string()), Ok(again), "{text}");
        }
        for text in ["", "+", "10", "0s", "500us", "10s+", "10s+1s+1s", "-1s"] {
            assert!(read(text).is_err(), "{text:?}");
        }
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

    #[test]
    fn sizes_are_bytes_with_the_usual_units() {
        assert_eq!(size("4096", 1, None), Ok(4096));
        assert_eq!(size("64KiB", 1, Some(65_536)), Ok(65_536));
        assert_eq!(size("1 GB", 1, None), Ok(1_000_000_000));
        for text in ["", "-1", "0", "many", "1XB"] {
            assert!(size(text, 1, None).is_err(), "{text:?}");
        }
        assert!(size("65537", 1, Some(65_536)).is_err());
    }
}
