#!/bin/sh
# A bot of the shell alone: raises the least it may with an ace, else stays in while that is cheap.
# Every line has one answer.
#
#     poker-actors simulate --bot 'cmd:sh examples/bots/shell_bot.sh' --bot tight --hands 2000 --seed 4

# number NAME: the number, or the first of a list of numbers, under that name in the line
number() {
    rest=${line#*"\"$1\":"}
    rest=${rest#[}
    rest=${rest%%,*}
    number=${rest%%]*}
}

while read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{"type": "hello", "version": 1, "name": "shell_bot"}' ;;
    *'"hole":["A'*'"raise_to":['*) number raise_to; echo "{\"act\": \"raise_to\", \"amount\": $number}" ;;
    *'"hole":["A'*'"bet":['*) number bet; echo "{\"act\": \"bet\", \"amount\": $number}" ;;
    *'"check":true'*) echo '{"act": "check"}' ;;
    *)
        number pot; pot=$number
        number to_call
        if [ $((number * 4)) -le "$pot" ]; then echo '{"act": "call"}'; else echo '{"act": "fold"}'; fi ;;
    esac
done
