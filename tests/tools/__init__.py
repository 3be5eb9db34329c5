"""Tools run by hand or by the checks: the arena, what a press walks through, what rooms weigh."""
