//! Bots that meddle with files: what they are given, and what must be as it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use tests::bench::Bench;

/// What stands in a file that no bot may touch.
const PRECIOUS: &str = "precious";

/// The bot gets a folder outside of its own that it links to.
pub(crate) fn litter(bench: &Bench) -> String {
    let outside = bench.path("outside");
    fs::create_dir(&outside).expect("a folder");
    bench.write("outside/file", PRECIOUS);
    for (path, mode) in [("outside/file", 0o440), ("outside", 0o550)] {
        fs::set_permissions(bench.path(path), mode_of(mode)).expect("it is ours");
    }
    bench.faulty(&format!("litter '{}'", outside.display()))
}

/// Clean-up has followed no link, neither to remove something nor to make it removable.
pub(crate) fn outside_is_untouched(bench: &Bench) {
    let file = bench.path("outside/file");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), PRECIOUS);
    for (path, mode) in [(file, 0o440), (bench.path("outside"), 0o550)] {
        let found = fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(found & 0o777, mode, "{}", path.display());
    }
    fs::set_permissions(bench.path("outside"), mode_of(0o750)).expect("it is ours");
}

/// The home of a bot is its scratch folder: that of the referee is somewhere else.
pub(crate) fn home_is_untouched(bench: &Bench) {
    assert!(!bench.path(".profile").exists());
}

pub(crate) fn replaces_itself(bench: &Bench) -> String {
    own_program(bench, "replace-self")
}

pub(crate) fn renews_itself(bench: &Bench) -> String {
    own_program(bench, "renew-self")
}

pub(crate) fn deletes_itself(bench: &Bench) -> String {
    own_program(bench, "delete-self")
}

/// A script grows by a line with each answer; without a request there is none.
pub(crate) fn changes_its_script(bench: &Bench) -> String {
    let script = "answer=$(sed -n '/^legal/{n;p;q;}')\n\
                  [ -z \"$answer\" ] || echo '# changed' >>\"$0\"\n\
                  printf '%s\\n' \"$answer\"\n";
    format!("/bin/sh '{}'", bench.write("bot.sh", script).display())
}

/// A copy of the faulty bot, which nobody else runs.
fn own_program(bench: &Bench, mode: &str) -> String {
    let path: PathBuf = bench.path("own-program");
    fs::copy(bench.program("faulty"), &path).expect("the program can be copied");
    format!("'{}' {mode} {}", path.display(), bench.marker())
}

fn mode_of(mode: u32) -> fs::Permissions {
    fs::Permissions::from_mode(mode)
}
