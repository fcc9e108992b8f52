/** Evidence from real jars: every class rewritten as if its interfaces were remote, and linked on every JDK. */
@NullMarked
package dev.cleave.agent.corpus;

import org.jspecify.annotations.NullMarked;
