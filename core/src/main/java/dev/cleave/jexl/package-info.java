/**
 * Expressions over the arguments of calls, in the language of Apache Commons JEXL 3. No other package names it: the
 * service loader finds it.
 */
@NullMarked
package dev.cleave.jexl;

import org.jspecify.annotations.NullMarked;
