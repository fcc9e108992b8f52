/**
 * Finds out cheaply whether a class makes remote calls: reads constant pools and the class files of interfaces, and
 * loads no class. Thread-safe; no lock is held while a class file is read.
 */
@NullMarked
package dev.cleave.agent.scan;

import org.jspecify.annotations.NullMarked;
