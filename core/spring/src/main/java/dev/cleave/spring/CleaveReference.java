package dev.cleave.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.annotation.AliasFor;

/**
 * On a field, or a parameter of a constructor, of a {@code @Bean} method or of another method that Spring calls, whose type
 * is a remote interface: injects a stub of a service. The service need not be bound yet: a call that is made before waits
 * for it, at most the call's deadline.
 */
@Autowired
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER})
public @interface CleaveReference {

    /** As {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** The service's name; by default that of the interface, its first letter in lower case. */
    @AliasFor("value")
    String name() default "";
}
