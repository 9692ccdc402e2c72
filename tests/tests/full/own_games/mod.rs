//! Custom games: rules that are a program or a module, in everything that plays and reads games.

mod attacks;
mod competitions;
mod ended;
mod faults;
mod hostile;
mod logs;
mod new_rules;
mod simulated;
