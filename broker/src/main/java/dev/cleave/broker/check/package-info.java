/**
 * Checks an application file beyond its words: looks classes, methods and parameters up, and names settings that cannot
 * help. Runs nothing of the application.
 */
@NullMarked
package dev.cleave.broker.check;

import org.jspecify.annotations.NullMarked;
