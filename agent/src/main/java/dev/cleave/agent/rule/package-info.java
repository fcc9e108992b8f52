/** The rules of the specification, by name: {@code docs/rewriting.md} holds what each of them says and why. */
@NullMarked
package dev.cleave.agent.rule;

import org.jspecify.annotations.NullMarked;
