//! Placeholder opened in the first hour; see DESIGN.
