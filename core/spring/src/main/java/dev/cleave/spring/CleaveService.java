package dev.cleave.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;
import org.springframework.stereotype.Component;

/**
 * On a class, or on a {@code @Bean} method: the bean is served under a name, through the one remote interface that its
 * class implements. The name is bound when all singletons have been made, and calls reach the bean as other beans do,
 * with its transactions and other advice.
 *
 * <p>A class with this annotation is found by the component scan.
 */
@Component
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CleaveService {

    /** As {@link #name}. */
    @AliasFor("name")
    String value() default "";

    /** The service's name; by default that of the interface, its first letter in lower case. */
    @AliasFor("value")
    String name() default "";

    /** The remote interface, for classes that implement several. */
    Class<?> type() default void.class;
}
