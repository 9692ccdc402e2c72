use std::fmt;
use std::str::FromStr;

use rules::NotText;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use bot::is_name;

/// A bot of a league with the number of its version, such as `anna@2`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BotVersion {
    pub bot: String,
    /// The number of its version, from 1.
    pub version: u32,
}

impl fmt::Display for BotVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.bot, self.version)
    }
}

impl FromStr for BotVersion {
    type Err = NotText;

    fn from_str(text: &str) -> Result<BotVersion, NotText> {
        let wrong = || NotText::new("NAME@VERSION, such as `anna@2`", text);
        let (bot, number) = text.split_once('@').ok_or_else(wrong)?;
        let version: u32 = number.parse().map_err(|_| wrong())?;
        match is_name(bot) && version > 0 && version.to_string() == number {
            true => Ok(BotVersion { bot: bot.to_owned(), version }),
            false => Err(wrong()),
        }
    }
}

impl Serialize for BotVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BotVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BotVersion, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_one_spelling() {
        let anna = BotVersion { bot: "anna".to_owned(), version: 2 };
        assert_eq!("anna@2".parse(), Ok(anna.clone()));
        assert_eq!(anna.to_string(), "anna@2");
        for text in
            ["anna", "anna@", "anna@0", "anna@02", "anna@+2", "anna@-1", "@1", "a b@1", "anna@1@1"]
        {
            assert!(text.parse::<BotVersion>().is_err(), "{text}");
        }
    }
}
