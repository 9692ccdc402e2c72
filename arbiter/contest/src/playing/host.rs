//! Which machine plays, for what is measured on it.

use std::io::{BufRead, BufReader, Read};

use rules::Machine;

use sandbox::file;

/// Where Linux says which processor a machine has.
const PROCESSORS: &str = "/proc/cpuinfo";

/// How many bytes of it are read: the first processor stands for all.
const LOOKED_AT: u64 = 16 << 10;

/// The most characters of a name that are kept.
const LONGEST_NAME: usize = 80;

/// The machine that this program runs on, under the name that it was given, or else its own.
pub fn this_machine(name: Option<&str>) -> Machine {
    let name = name.map_or_else(host_name, ToOwned::to_owned);
    Machine { name: short(&name), processor: processor().as_deref().map(short) }
}

#[cfg(unix)]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "unknown".to_owned())
}

/// The model of the first processor, where the system tells.
fn processor() -> Option<String> {
    let file = file::open(PROCESSORS.as_ref()).ok()?;
    let mut lines = BufReader::new(file.take(LOOKED_AT)).lines().map_while(Result::ok);
    lines.find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    })
}

/// A name in one line of printable characters, which is not too long for every game of a log.
fn short(name: &str) -> String {
    let name: String = name.chars().filter(|it| !it.is_control()).take(LONGEST_NAME).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_given_is_kept_in_short() {
        let long = "n".repeat(1000);
        assert_eq!(this_machine(Some("node\u{1b}[2J7\n")).name, "node[2J7");
        assert_eq!(this_machine(Some(&long)).name.len(), LONGEST_NAME);
        assert!(!this_machine(None).name.is_empty());
    }
}
