/** What the experiments share; each experiment has a package of its own. */
@NullMarked
package dev.cleave.examples;

import org.jspecify.annotations.NullMarked;
