/** The Maven plugin. */
@NullMarked
package dev.cleave.maven;

import org.jspecify.annotations.NullMarked;
