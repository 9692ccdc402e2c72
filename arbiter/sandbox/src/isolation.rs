//! Isolation of bots from the rest of the machine: the wish, and the result.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The wish for isolation of bots from the rest of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// By every layer that the machine allows.
    #[default]
    Auto,
    /// By all layers: where one is missing, nothing is started.
    Strict,
    /// Not at all: a bot can read and do what its user can.
    Off,
}

impl Isolation {
    /// Each of them, the default first.
    pub const ALL: [Isolation; 3] = [Isolation::Auto, Isolation::Strict, Isolation::Off];

    /// Returns true if it is the usual one.
    pub fn is_usual(&self) -> bool {
        *self == Isolation::default()
    }

    /// Its name on the command line and in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Isolation::Auto => "auto",
            Isolation::Strict => "strict",
            Isolation::Off => "off",
        }
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Isolation {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Isolation::ALL
            .into_iter()
            .find(|it| it.name() == text)
            .ok_or("expected `auto`, `strict` or `off`")
    }
}

/// One thing that keeps a bot apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// A user of its own, without the rights of the user who runs the referee.
    User,
    /// Processes of its own: it sees no others, and none of its own outlives it.
    Processes,
    /// Files of its own: a root that is read-only, and a folder in memory that is not.
    Files,
    /// A network of its own, with nothing in it.
    Network,
    /// Shared memory, semaphores and message queues of its own.
    Ipc,
    /// A host name of its own.
    Host,
    /// The kernel's checks of every path, of connections and of signals (Landlock).
    Landlock,
    /// A filter of the calls to the kernel (seccomp).
    Seccomp,
    /// No privileges, and no way to new ones.
    Privileges,
}

impl Layer {
    /// Each of them.
    pub const ALL: [Layer; 9] = [
        Layer::User,
        Layer::Processes,
        Layer::Files,
        Layer::Network,
        Layer::Ipc,
        Layer::Host,
        Layer::Landlock,
        Layer::Seccomp,
        Layer::Privileges,
    ];

    /// Its effect, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Layer::User => "unprivileged user",
            Layer::Processes => "private process space",
            Layer::Files => "private read-only root with an in-memory folder",
            Layer::Network => "private empty network",
            Layer::Ipc => "private shared memory and message queues",
            Layer::Host => "private host name",
            Layer::Landlock => "path, connection and signal rules (Landlock)",
            Layer::Seccomp => "system call filter (seccomp)",
            Layer::Privileges => "no privileges, and no way to gain any",
        }
    }

    /// Its name in headers and in what a person reads.
    pub fn name(self) -> &'static str {
        match self {
            Layer::User => "user",
            Layer::Processes => "processes",
            Layer::Files => "files",
            Layer::Network => "network",
            Layer::Ipc => "ipc",
            Layer::Host => "host",
            Layer::Landlock => "landlock",
            Layer::Seccomp => "seccomp",
            Layer::Privileges => "privileges",
        }
    }
}

/// The layers of a bot, and the reasons why it does not have the others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layers {
    /// The layers that are on.
    pub on: Vec<Layer>,
    /// The layers that the machine refuses, each with its message, one line.
    pub refused: Vec<(Layer, String)>,
}

impl Layers {
    /// No layers, for this reason.
    pub fn none(why: &str) -> Layers {
        Layers { on: Vec::new(), refused: Layer::ALL.map(|layer| (layer, why.to_owned())).into() }
    }

    /// The names of those that are refused, as in `network, ipc`; empty if there are none.
    pub fn missing(&self) -> String {
        let names: Vec<&str> = self.refused.iter().map(|(layer, _)| layer.name()).collect();
        names.join(", ")
    }
}

/// The number of `nobody`, the user and the group that own nothing. Bots run as `nobody` if root starts
/// the referee.
pub const NOBODY: u32 = 65534;

/// The parts of the machine that the programs of one bot see besides their scratch folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileView {
    /// Files, folders and links, by absolute paths. A folder is there with all that is in it, a link
    /// as the link that it is; nothing of it can be written.
    #[serde(with = "of_any_bytes")]
    pub paths: Vec<PathBuf>,
    /// Files and folders that lie in what is shown, or in a folder of the system, and are empty
    /// there all the same: no link is on the way to them.
    #[serde(with = "of_any_bytes")]
    pub masked: Vec<PathBuf>,
    /// Devices that they may use besides those that every bot has, by absolute paths in `/dev`.
    #[serde(with = "of_any_bytes")]
    pub devices: Vec<PathBuf>,
    /// True if they may use the network.
    pub network: bool,
}

/// A folder, and a copy of it that a program finds and writes in the place of the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildFolder {
    /// The folder, by a path without links.
    #[serde(with = "of_any_bytes_alone")]
    pub folder: PathBuf,
    /// The copy, by a path without links.
    #[serde(with = "of_any_bytes_alone")]
    pub copy: PathBuf,
}

/// The surroundings of the programs of one bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSandbox {
    /// Folders of the system that they see, as every bot does.
    pub system: Vec<PathBuf>,
    /// Files, folders and links that they see besides, by absolute paths.
    pub paths: Vec<PathBuf>,
    /// The place where they can write.
    pub writable: WritablePlace,
    /// The number of the user that they run as.
    pub user: u32,
    /// True if the network is there for them.
    pub network: bool,
    /// The layers that keep them apart.
    pub layers: Layers,
}

/// A place where a bot can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WritablePlace {
    /// In `/tmp`, a folder in memory of its own.
    Memory {
        /// Its room, in bytes.
        bytes: u64,
        /// The most files and folders in it.
        files: u64,
    },
    /// In its scratch folder on the disk.
    Scratch,
    /// There, and wherever the rights of files let its user.
    ScratchAndOpen,
    /// Wherever the user of the referee can.
    Everywhere,
}

/// Paths, which need not be text.
mod of_any_bytes {
    use std::ffi::{OsStr, OsString};
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        paths: &[PathBuf],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| -> &OsStr { path.as_os_str() }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let paths = Vec::<OsString>::deserialize(deserializer)?;
        Ok(paths.into_iter().map(PathBuf::from).collect())
    }
}

/// A path, which need not be text.
pub(super) mod of_any_bytes_alone {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PathBuf, D::Error> {
        OsString::deserialize(deserializer).map(PathBuf::from)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_path_that_is_no_text_gets_to_the_keeper() {
        let path = PathBuf::from(OsStr::from_bytes(b"/a/\xff\n"));
        let view = FileView {
            masked: vec![path.clone()],
            paths: vec![path, "/b".into()],
            ..FileView::default()
        };
        let text = serde_json::to_string(&view).expect("it can be written");
        assert_eq!(serde_json::from_str::<FileView>(&text).expect("it can be read"), view);
    }
}
