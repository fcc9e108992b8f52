/** The Gradle plugin. */
@NullMarked
package dev.cleave.gradle;

import org.jspecify.annotations.NullMarked;
