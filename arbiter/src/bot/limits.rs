//! Limits as they are asked for: for every bot, or for the one with a name.

use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;

use crate::bot::spelt_as_names;
use crate::failure::Failure;
use crate::process::Limits;

/// The largest answer that can be allowed, in bytes: logs keep every one whole.
const LARGEST_ANSWER: u64 = 64 << 10;

/// The least memory that can be asked for, in bytes.
const LEAST_MEMORY: u64 = 1 << 20;

/// The most processes or files that can be allowed: more than any system has.
const MOST: u32 = 1 << 30;

/// Three are open before the program has opened any.
const LEAST_FILES: u64 = 4;

/// One limit that differs from its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::time`].
    Time(Duration),
    /// [`Limits::cpu`].
    Cpu(Duration),
    /// [`Limits::memory`].
    Memory(u64),
    /// [`Limits::address_space`].
    AddressSpace(u64),
    /// [`Limits::processes`].
    Processes(u32),
    /// [`Limits::file_bytes`].
    FileBytes(u64),
    /// [`Limits::open_files`].
    OpenFiles(u64),
    /// [`Limits::answer_bytes`].
    AnswerBytes(usize),
    /// [`Limits::stderr_bytes`].
    StderrBytes(usize),
}

impl Limit {
    /// Reads a limit by its name on the command line and in a plan, such as `time-limit`.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the value.
    pub fn read(name: &str, text: &str) -> Result<Limit, String> {
        match name {
            "time-limit" => duration(text).map(Limit::Time),
            "cpu-limit" => duration(text).map(Limit::Cpu),
            "memory" => size(text, LEAST_MEMORY).map(Limit::Memory),
            "address-space" => size(text, LEAST_MEMORY).map(Limit::AddressSpace),
            "processes" => count(text, 1, MOST).map(Limit::Processes),
            "file-size" => size(text, 0).map(Limit::FileBytes),
            "open-files" => count(text, LEAST_FILES, u64::from(MOST)).map(Limit::OpenFiles),
            "answer-size" => answer_size(text).map(Limit::AnswerBytes),
            "stderr-size" => size(text, 0)
                .map(|size| Limit::StderrBytes(usize::try_from(size).unwrap_or(usize::MAX))),
            _ => Err("is no limit".to_owned()),
        }
    }

    /// Changes limits by this one.
    pub(crate) fn put_into(self, limits: &mut Limits) {
        match self {
            Limit::Time(time) => limits.time = time,
            Limit::Cpu(time) => limits.cpu = Some(time),
            Limit::Memory(bytes) => limits.memory = bytes,
            Limit::AddressSpace(bytes) => limits.address_space = Some(bytes),
            Limit::Processes(count) => limits.processes = count,
            Limit::FileBytes(bytes) => limits.file_bytes = bytes,
            Limit::OpenFiles(count) => limits.open_files = count,
            Limit::AnswerBytes(bytes) => limits.answer_bytes = bytes,
            Limit::StderrBytes(bytes) => limits.stderr_bytes = bytes,
        }
    }
}

/// A limit for every bot, or for the one with a name: `[NAME=]VALUE`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedLimit {
    bot: Option<String>,
    limit: Limit,
}

impl AskedLimit {
    /// This limit, for every bot.
    pub fn for_all(limit: Limit) -> AskedLimit {
        AskedLimit { bot: None, limit }
    }
}

/// All limits that were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedLimits(Vec<AskedLimit>);

impl AskedLimits {
    /// The limits of the bot with this name: what was asked for it, or else for all, or else the
    /// defaults. Of two of a kind the later one counts.
    pub fn for_bot(&self, name: &str) -> Limits {
        self.over(Limits::DEFAULT, name)
    }

    /// The same, with these limits for the defaults.
    pub fn over(&self, mut limits: Limits, name: &str) -> Limits {
        let for_all = self.0.iter().filter(|asked| asked.bot.is_none());
        let for_it = self.0.iter().filter(|asked| asked.bot.as_deref() == Some(name));
        for asked in for_all.chain(for_it) {
            asked.limit.put_into(&mut limits);
        }
        limits
    }

    /// Whether every bot that is named is there.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`], which names the first that is not.
    pub fn check_names(&self, names: &[String]) -> Result<(), Failure> {
        let mut asked = self.0.iter().filter_map(|asked| asked.bot.as_ref());
        match asked.find(|name| !names.contains(name)) {
            None => Ok(()),
            Some(name) => Err(Failure::Usage(format!(
                "a limit is for `{name}`, expected one of the bots: {}",
                names.join(", ")
            ))),
        }
    }
}

impl FromIterator<AskedLimit> for AskedLimits {
    fn from_iter<I: IntoIterator<Item = AskedLimit>>(asked: I) -> Self {
        AskedLimits(asked.into_iter().collect())
    }
}

/// Reads `[NAME=]VALUE`, with `read` for the value.
///
/// # Errors
///
/// Says what is wrong with the value.
pub fn asked(
    text: &str,
    read: impl FnOnce(&str) -> Result<Limit, String>,
) -> Result<AskedLimit, String> {
    let (bot, value) = match text.split_once('=') {
        Some(("", _)) => return Err("expected the name of a bot before `=`".to_owned()),
        Some((bot, value)) => (Some(spelt_as_names(bot)), value),
        None => (None, text),
    };
    Ok(AskedLimit { bot, limit: read(value)? })
}

/// A duration of at least a millisecond.
///
/// # Errors
///
/// Says what was expected.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = "expected a duration of at least 1ms, such as 500ms or 5s";
    match humantime::parse_duration(text) {
        Ok(time) if time >= Duration::from_millis(1) => Ok(time),
        Ok(_) => Err(expected.to_owned()),
        Err(error) => Err(format!("{error}; {expected}")),
    }
}

/// A size in bytes of at least `least`.
///
/// # Errors
///
/// Says what was expected.
pub fn size(text: &str, least: u64) -> Result<u64, String> {
    let size = ByteSize::from_str(text).ok().map(|size| size.as_u64());
    size.filter(|&size| size >= least).ok_or_else(|| {
        let example = if least > 4096 { "256MiB or 1GiB" } else { "4096, 64KiB or 1GiB" };
        format!("expected a size of at least {least} bytes, such as {example}")
    })
}

/// A size that an answer may have.
///
/// # Errors
///
/// Says what was expected.
pub fn answer_size(text: &str) -> Result<usize, String> {
    let size = size(text, 1).ok().filter(|&size| size <= LARGEST_ANSWER);
    let expected =
        || format!("expected a size of 1 to {LARGEST_ANSWER} bytes, such as 4096 or 16KiB");
    size.map(|size| size as usize).ok_or_else(expected)
}

/// A number from `least` to `most`.
///
/// # Errors
///
/// Says what was expected.
pub fn count<N: FromStr + PartialOrd + std::fmt::Display>(
    text: &str,
    least: N,
    most: N,
) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| (&least..=&most).contains(&number));
    number.ok_or_else(|| format!("expected a number from {least} to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(texts: &[&str]) -> AskedLimits {
        let read = |text: &&str| asked(text, |value| duration(value).map(Limit::Time)).unwrap();
        texts.iter().map(read).collect()
    }

    #[test]
    fn what_is_asked_for_one_goes_before_what_is_asked_for_all() {
        let asked = limits(&["slow=9s", "2s", "3s"]);
        assert_eq!(asked.for_bot("slow").time, Duration::from_secs(9));
        assert_eq!(asked.for_bot("other").time, Duration::from_secs(3));
        assert_eq!(limits(&[]).for_bot("other"), Limits::DEFAULT);
    }

    #[test]
    fn a_limit_for_nobody_is_refused() {
        let names = ["a".to_owned(), "b".to_owned()];
        assert!(limits(&["a=1s", "1s"]).check_names(&names).is_ok());
        let refused = limits(&["c=1s"]).check_names(&names).unwrap_err().to_string();
        assert_eq!(refused, "a limit is for `c`, expected one of the bots: a, b");
    }

    #[test]
    fn sizes_are_bytes_with_the_usual_units() {
        assert_eq!(size("4096", 1), Ok(4096));
        assert_eq!(size("64KiB", 1), Ok(65_536));
        assert_eq!(size("1 GB", 1), Ok(1_000_000_000));
        for text in ["", "-1", "0", "many", "1XB"] {
            assert!(size(text, 1).is_err(), "{text:?}");
        }
        assert_eq!(answer_size("64KiB"), Ok(65_536));
        assert!(answer_size("65537").is_err());
    }
}
