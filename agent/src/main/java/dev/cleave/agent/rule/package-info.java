/** The rules of the specification, by name: {@code docs/rewriting.md} states each of them with its reason. */
@NullMarked
package dev.cleave.agent.rule;

import org.jspecify.annotations.NullMarked;
