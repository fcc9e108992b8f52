/** What tests of applications use. */
@NullMarked
package dev.cleave.spring.test;

import org.jspecify.annotations.NullMarked;
