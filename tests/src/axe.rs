//! The checks of pages by axe-core, where it is installed.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::binaries;
use crate::browser::Browser;
use crate::missing;

/// Names another folder for the package than the one beside the programs.
const VARIABLE: &str = "ARBITER_TEST_AXE";
const SCRIPT: &str = "node_modules/axe-core/axe.min.js";

/// The findings of all rules: for each its name, what it asks for, and the first elements that do not keep it.
/// Pages in frames are checked where they are opened by themselves.
const FINDINGS: &str = "
return axe.run(document, { preload: false, iframes: false, resultTypes: ['violations'] }).then((found) => found.violations.map((it) =>
  `${it.id}: ${it.help}: ` + it.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)
    + ' ' + node.any.concat(node.all, node.none).map((check) => check.message).join('; ')).join(' | ')));";

/// Returns true if axe-core is installed; if not, says so.
pub fn is_there() -> bool {
    let is_there = script().is_some();
    if !is_there {
        missing::tell(&format!("no axe-core in {}", folder().display()));
    }
    is_there
}

/// Asserts that axe finds nothing on the page as it is shown, where it is installed.
pub fn assert_accessible(browser: &Browser, name: &str) {
    let Some(script) = script() else { return };
    if browser.run("return typeof axe") != json!("object") {
        browser.run(script);
    }
    let found = browser.run(FINDINGS);
    let found: Vec<&str> =
        found.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(found.is_empty(), "{name} at {}:\n{}", browser.address(), found.join("\n"));
}

fn folder() -> PathBuf {
    let beside = || binaries::folder().parent().map(|target| target.join("axe"));
    env::var_os(VARIABLE).map(PathBuf::from).or_else(beside).unwrap_or_default()
}

fn script() -> Option<&'static str> {
    static READ: OnceLock<Option<String>> = OnceLock::new();
    READ.get_or_init(|| fs::read_to_string(folder().join(SCRIPT)).ok()).as_deref()
}
